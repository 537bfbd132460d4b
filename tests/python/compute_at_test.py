"""compute_at and reverse_compute_at where tiles do not divide, sizes are symbols, windows overlap, producers add up and several read them;
and overcompute over a padded axis of a reduction. Each result is compared with the program before by equiv."""
import unittest

import hexproof as hp

HEADER = '''
def main(a: T.handle, c: T.handle, n: T.int32):
    A = T.match_buffer(a, (n + {halo}, 8), "int32")
    C = T.match_buffer(c, (n, 8), "int32")
    B = T.alloc_buffer((n + {halo}, 8), "int32")
'''
STAGES = '''    for i, j in T.grid(N + {halo}, 8):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * 2
    for i, j in T.grid(N, 8):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + B[vi + {halo}, 7 - vj]
'''
CONCRETE = '''
def main(A: T.Buffer(({all}, 8), "int32"), C: T.Buffer((18, 8), "int32")):
    B = T.alloc_buffer(({all}, 8), "int32")
'''
SUMS = '''
def main(a: T.handle, c: T.handle, n: T.int32, m: T.int32):
    A = T.match_buffer(a, (n, m), "int32")
    C = T.match_buffer(c, (n,), "int32")
    B = T.alloc_buffer((n,), "int32")
    for i, k in T.grid(n, m):
        with T.block("B"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                B[vi] = 0
            B[vi] = B[vi] + A[vi, vk]
    for i in range(n):
        with T.block("C"):
            vi = T.axis.spatial(n, i)
            C[vi] = T.if_then_else(m > 0, B[vi], 0) + 1
'''
SEVERAL = '''
def main(A: T.Buffer((18,), "int32"), C: T.Buffer((18,), "int32"), D: T.Buffer((18,), "int32")):
    B = T.alloc_buffer((18,), "int32")
    for i in range(18):
        with T.block("B"):
            vi = T.axis.spatial(18, i)
            B[vi] = A[vi] * 2
    for i in range(18):
        with T.block("C"):
            vi = T.axis.spatial(18, i)
            C[vi] = B[vi] + 1
    for i in range(18):
        with T.block("D"):
            vi = T.axis.spatial(18, i)
            D[vi] = B[vi] * 3
'''
MATMUL = '''
def main(A: T.Buffer((16, 14), "int32"), W: T.Buffer((14, 16), "int32"), C: T.Buffer((16, 16), "int32")):
    for i, j, k in T.grid(16, 16, 14):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0
            C[vi, vj] = C[vi, vj] + A[vi, vk] * W[vk, vj]
'''
SUM = '''
def main(A: T.Buffer((14,), "TYPE"), B: T.Buffer((1,), "TYPE")):
    for i in range(14):
        with T.block("sum"):
            vi = T.axis.reduce(14, i)
            with T.init():
                B[0] = T.TYPE(0)
            B[0] = B[0] + A[vi]
'''


def symbolic(halo):
    return (HEADER + STAGES.replace("N", "n").replace("T.axis.spatial(n", "T.axis.spatial(n")).format(halo=halo)


def concrete(halo):
    return (CONCRETE + STAGES.replace("N", "18")).format(halo=halo, all=18 + halo)


class ComputeAt(unittest.TestCase):
    def becomes(self, text, schedule, *parts, **layouts):
        after = hp.apply(text, schedule, name="s.py")
        for part in parts:
            self.assertIn(part, after.script())
        self.assertEqual(hp.equiv(text, after, **layouts).verdict, "proved")
        return after.script()

    def tiles(self, block, moved, call, size):
        return f'i = sch.get_loops("{block}")[0]\nio, ii = sch.split(i, [None, {size}])\nsch.{call}("{moved}", io)\n'

    def test_tiles_that_do_not_divide(self):
        for halo in (0, 2):
            self.becomes(concrete(halo), self.tiles("C", "B", "compute_at", 4), "T.where(")
            self.becomes(concrete(halo), self.tiles("C", "B", "compute_at", 6))
        self.becomes(concrete(0), self.tiles("B", "C", "reverse_compute_at", 4), "T.where(")

    def test_tiles_in_two_directions(self):
        self.becomes(concrete(2).replace("B[vi + 2, 7 - vj]", "B[vi + 2, vj]"),
                     'i, j = sch.get_loops("C")\nio, ii = sch.split(i, [None, 5])\njo, ji = sch.split(j, [None, 3])\n'
                     'sch.reorder(io, jo, ii, ji)\nsch.compute_at("B", jo)\n', "T.where(")

    def test_symbolic_sizes(self):
        for halo in (0, 2):
            self.becomes(symbolic(halo), 'sch.compute_at("B", sch.get_loops("C")[0])\n')
            self.becomes(symbolic(halo), self.tiles("C", "B", "compute_at", 4), "T.where(")
        self.becomes(symbolic(0), 'sch.reverse_compute_at("C", sch.get_loops("B")[0])\n')
        self.becomes(symbolic(0), self.tiles("B", "C", "reverse_compute_at", 4), "T.where(")

    def test_producers_that_add_up(self):
        self.becomes(SUMS, 'sch.compute_at("B", sch.get_loops("C")[0])\n')
        self.becomes(SUMS, self.tiles("C", "B", "compute_at", 4), "T.where(")
        self.becomes(SUMS, self.tiles("B", "C", "reverse_compute_at", 4), "T.where(")

    def test_several_consumers(self):
        self.becomes(SEVERAL, 'l = sch.merge(sch.get_loop("i", 1), sch.get_loop("i", 2))\nio, ii = sch.split(l, [None, 4])\n'
                              'sch.compute_at("B", io)\n', "T.where(")
        self.becomes(SEVERAL, 'io, ii = sch.split(sch.get_loops("B")[0], [None, 4])\nsch.reverse_compute_at("C", io)\n'
                              'sch.reverse_compute_at("D", io)\n', "T.where(")
        with self.assertRaisesRegex(hp.InputError, "'B' is read outside of the loop, too"):
            hp.apply(SEVERAL, 'sch.compute_at("B", sch.get_loops("C")[0])\n')

    def test_the_buffer_is_as_small_as_its_window(self):
        text = self.becomes(concrete(2).replace("7 - vj", "vj"), self.tiles("C", "B", "compute_at", 6) + "sch.compact_buffers()\n")
        self.assertIn("B = T.decl_buffer((8, 8)", text)

    def test_a_cache_in_the_loop_and_then_decompose_reduction(self):
        tiles = 'i, j, k = sch.get_loops("C")\nio, ii = sch.split(i, [None, 5])\nko, ki = sch.split(k, [None, 4])\n'
        for order in ("io, j, ko, ii, ki", "io, ko, j, ii, ki"):
            self.becomes(MATMUL, tiles + f"sch.reorder({order})\n" + 'a = sch.cache_read("C", 0, "local")\nsch.compute_at(a, ko)\n'
                                 'sch.decompose_reduction("C", ko)\n', "C_init", "C_update")


class PaddedReductions(unittest.TestCase):
    TILES = ('sch.cache_read("C", 0, "global")\nsch.cache_read("C", 1, "global")\n'
             'sch.transform_layout("C", "A_global", lambda i, k: [i, k // 4, k % 4], pad_value=0)\n'
             'sch.transform_layout("C", "W_global", lambda k, j: [k // 4, k % 4, j], pad_value=0)\n')

    def test_a_product_of_matrices(self):
        for loops in ('sch.transform_block_layout("C", lambda i, j, k: [i, j, k // 4, k % 4])\n',
                      'sch.split(sch.get_loops("C")[2], [None, 4])\n'):
            after = hp.apply(MATMUL, self.TILES + loops + 'sch.remove_branching_through_overcompute("C")\n')
            block = after.script()[after.script().index('T.block("C")'):]
            self.assertNotIn("T.where", block)
            self.assertNotIn("if ", block)
            self.assertEqual(hp.equiv(MATMUL, after).verdict, "proved")

    def test_a_sum_over_a_padded_parameter(self):
        text = SUM.replace("TYPE", "int32")
        tiles = "lambda i: [i // 4, i % 4]"
        sch = hp.Schedule(text)
        self.assertEqual(len(sch.suggest_pad_value("sum", "A", lambda i: [i // 4, i % 4])), 1)
        sch.transform_layout("sum", "A", lambda i: [i // 4, i % 4], pad_value=0)
        sch.sequential_buffer_access("sum", "A")
        sch.remove_branching_through_overcompute("sum")
        self.assertNotIn("if ", sch.mod.script())
        self.assertNotIn("T.where", sch.mod.script())
        self.assertEqual(hp.equiv(text, sch.mod, layouts={"A": tiles}, pads={"A": 0}).verdict, "proved")


if __name__ == "__main__":
    unittest.main()
