#pragma once
/* The actions of kspot catalog that live in files of their own. */
struct run;

int catalog_check(struct run *r);
int catalog_import_files(struct run *r);
