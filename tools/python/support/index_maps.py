# TVM's IndexMap.


class IndexMap:
    AXIS_SEPARATOR = _native.AXIS_SEPARATOR

    def __init__(self, func):
        self.func = func

    @staticmethod
    def from_func(mapping_function, ndim=None, inverse_index_map=None, **_):
        return IndexMap(mapping_function)

    @staticmethod
    def from_func_with_separators(mapping_function, ndim=None, inverse_index_map=None, **_):
        return IndexMap(mapping_function)

    def __call__(self, *indices):
        return self.func(*indices)

    def map_indices(self, indices):
        return [one for one in self.func(*indices) if one is not IndexMap.AXIS_SEPARATOR]

    def map_ranges(self, ranges):
        """First index and extent of each output, for inputs in ranges of numbers: (first, extent)."""
        return _native.map_ranges(self.func, [tuple(one) for one in ranges])

    def map_shape(self, shape):
        found = self.map_ranges([(0, extent) for extent in shape])
        if any(first < 0 for first, _ in found):
            raise InputError("an output is negative: no shape has such an index", "map_ranges says where outputs lie")
        return [first + extent for first, extent in found]

    def is_bijective(self, shape):
        """Does each cell of the smallest box around the image hold the value of one index?"""
        return not _native.inverse_map(self.func, list(shape))[1]

    def inverse(self, shape):
        text, padding = _native.inverse_map(self.func, list(shape))
        if padding:
            raise InputError(f"not bijective: no index goes where {padding}", "non_surjective_inverse says so, too")
        return IndexMap(eval(text, dict(GLOBALS)))

    def non_surjective_inverse(self, shape):
        """The inverse, and of a cell (of numbers): does no index go there?"""
        text, padding = _native.inverse_map(self.func, list(shape))
        predicate = eval(padding, dict(GLOBALS)) if padding else lambda *_: [False]
        return IndexMap(eval(text, dict(GLOBALS))), lambda *cell: predicate(*cell)[0]
