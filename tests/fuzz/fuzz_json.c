/* JSON: any bytes that start with a brace or a bracket give trees or messages. */
#include "doc_walk.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!fuzz_is_json(data, size))
		return FUZZ_REJECT;
	doc_walk(data, size);
	return 0;
}
