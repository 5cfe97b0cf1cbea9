#pragma once
/* Sums of prices carry the noise of their additions; prices have at most nine decimals. */
double usd_round(double usd);
