#include "rep_money.h"

#include <stdio.h>
#include <stdlib.h>

double usd_round(double usd)
{
	char text[64];

	snprintf(text, sizeof(text), "%.9f", usd);
	return strtod(text, NULL);
}
