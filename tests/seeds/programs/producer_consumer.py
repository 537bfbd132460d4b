# One function fills a padded buffer, another one sums it: what the second may rely on, the first must give.
@I.ir_module
class ProducerConsumer:
    @T.prim_func
    def produce(cells: T.Buffer((4, 4), "int32")):
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                cells[tile, lane] = 1000 + tile * 4 + lane
            else:
                cells[tile, lane] = 0

    @T.prim_func
    def produce_in_two(cells: T.Buffer((4, 4), "int32")):
        for i in range(14):
            cells[i // 4, i % 4] = 1000 + i
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane >= 14:
                cells[tile, lane] = 0

    @T.prim_func
    def produce_anything_after(cells: T.Buffer((4, 4), "int32"), values: T.Buffer((14,), "int32")):
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                cells[tile, lane] = values[tile * 4 + lane]
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane >= 14:
                cells[tile, lane] = T.undef()

    @T.prim_func
    def consume(cells: T.Buffer((4, 4), "int32"), total: T.Buffer((1,), "int32")):
        for tile, lane in T.grid(4, 4):
            T.assume(tile * 4 + lane < 14 or cells[tile, lane] == 0)
        total[0] = 0
        for tile, lane in T.grid(4, 4):
            if tile * 4 + lane < 14:
                total[0] += cells[tile, lane]

    @T.prim_func
    def consume_all(cells: T.Buffer((4, 4), "int32"), total: T.Buffer((1,), "int32")):
        for tile, lane in T.grid(4, 4):
            T.assume(tile * 4 + lane < 14 or cells[tile, lane] == 0)
        total[0] = 0
        for tile, lane in T.grid(4, 4):
            total[0] += cells[tile, lane]

    @T.prim_func
    def consume_all_of_anything(cells: T.Buffer((4, 4), "int32"), total: T.Buffer((1,), "int32")):
        for tile, lane in T.grid(4, 4):
            T.assume(tile * 4 + lane < 14 or cells[tile, lane] == T.undef())
        total[0] = 0
        for tile, lane in T.grid(4, 4):
            total[0] += cells[tile, lane]
