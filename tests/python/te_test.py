"""Tensor expressions from Python."""
import unittest

import hexproof
from hexproof import te, tvm


class TensorExpressions(unittest.TestCase):
    def graph(self):
        a = te.placeholder((20,), name="A", dtype="int32")
        b = te.compute((20,), lambda i: a[i] + 1, name="B")
        c = te.compute((16,), lambda i: b[i] + b[i + 4], name="C")
        return a, b, c

    def test_lower(self):
        a, b, c = self.graph()
        s = te.create_schedule(c.op)
        outer, inner = s[c].split(c.op.axis[0], factor=4)
        s[b].compute_at(s[c], outer)
        text = tvm.lower(s, [a, c]).script()
        self.assertIn("B = T.decl_buffer((8,), \"int32\")", text)
        self.assertEqual([axis.name for axis in s[c].leaf_iter_vars], ["i.outer", "i.inner"])
        self.assertEqual((inner.dom.min, inner.dom.extent), (0, 4))

    def test_naive_program(self):
        a, b, c = self.graph()
        program = te.create_prim_func([a, c]).script()
        self.assertTrue(hexproof.check(hexproof.parse(program)))

    def test_properties(self):
        a, b, c = self.graph()
        self.assertEqual((c.shape, c.dtype, c.name, c.ndim), ((16,), "int32", "C", 1))
        self.assertEqual(c.op.input_tensors, [b])
        self.assertEqual(b.op.output(0), b)

    def test_mistakes(self):
        a, b, c = self.graph()
        s = te.create_schedule(c.op)
        with self.assertRaises(hexproof.InputError):
            s[c].split(c.op.axis[0], factor=0)
        with self.assertRaises(hexproof.InputError):
            a[1, 2]
        with self.assertRaises(hexproof.UnsupportedError):
            te.extern((4,), [a], None)


if __name__ == "__main__":
    unittest.main()
