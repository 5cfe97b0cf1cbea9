#pragma once
/*
 * Whether Karpenter can take a multipart message apart: user data in MIME form. Messages are in the words of
 * the libraries it reads them with (Go's net/mail, mime and mime/multipart).
 */
#include "arena.h"
#include "str.h"

enum mime_stage {
	MIME_MESSAGE,       /* the header of the message */
	MIME_CONTENT_TYPE,  /* its Content-Type */
	MIME_NOT_MULTIPART, /* another type, without text */
	MIME_PART,          /* between parts, or the header of one */
	MIME_BODY,          /* the body of a part */
};

struct mime_error {
	enum mime_stage stage;
	const char *text;
	struct str body; /* MIME_BODY: what could be read of it */
};

/* False: *ret_error says why the message cannot be read; its text is in the arena. */
bool mime_read(struct arena *a, struct str text, struct mime_error *ret_error);
