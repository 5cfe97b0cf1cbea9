#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

#define MAX_INPUT (16u << 20)

int main(int argc, char **argv)
{
	uint8_t *data = malloc(MAX_INPUT);

	if (!data)
		return 1;
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		size_t n;

		if (!f) {
			perror(argv[i]);
			return 1;
		}
		n = fread(data, 1, MAX_INPUT, f);
		fclose(f);
		/* An exact copy, so that AddressSanitizer sees a read past its end. */
		uint8_t *copy = malloc(n ? n : 1);

		if (!copy)
			return 1;
		for (size_t k = 0; k < n; k++)
			copy[k] = data[k];
		LLVMFuzzerTestOneInput(copy, n);
		free(copy);
	}
	free(data);
	printf("%d inputs\n", argc - 1);
	return argc < 2;
}
