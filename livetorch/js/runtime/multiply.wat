;; The product of two matrices of float64, four rows and four columns at a time. A sum runs over k in order, each product
;; rounded before it is added, as a loop of JavaScript does it: the bits are the same, in a quarter of the time.
;;
;; left: (rows, inner) by rows; packed: right's columns in panels of four, each (inner, 4) by rows; out: (rows, 4 panels) by
;; rows. All three are addresses in bytes. At least four rows: where some are left over, the last four are made once more.
(module
  (memory (export "memory") 1)
  (func (export "multiply")
    (param $left i32) (param $packed i32) (param $out i32) (param $rows i32) (param $inner i32) (param $panels i32)
    (local $block i32) (local $row i32) (local $panel i32) (local $k i32)
    (local $deep i32) (local $wide i32)  ;; bytes of a row of left, of a row of out
    (local $from i32) (local $to i32)
    (local $a0 i32) (local $low0 v128) (local $high0 v128)  ;; row 0: where it stands, its four sums
    (local $a1 i32) (local $low1 v128) (local $high1 v128)  ;; row 1: where it stands, its four sums
    (local $a2 i32) (local $low2 v128) (local $high2 v128)  ;; row 2: where it stands, its four sums
    (local $a3 i32) (local $low3 v128) (local $high3 v128)  ;; row 3: where it stands, its four sums
    (local $low v128) (local $high v128) (local $x v128) (local $zero v128)
    (local.set $deep (i32.shl (local.get $inner) (i32.const 3)))
    (local.set $wide (i32.shl (local.get $panels) (i32.const 5)))
    (loop $blocks
      (local.set $row (i32.sub (local.get $rows) (i32.const 4)))
      (if (i32.lt_s (local.get $block) (local.get $row)) (then (local.set $row (local.get $block))))
      (local.set $from (local.get $packed))
      (local.set $to (i32.add (local.get $out) (i32.mul (local.get $row) (local.get $wide))))
      (local.set $panel (local.get $panels))
      (loop $columns
        (local.set $a0 (i32.add (local.get $left) (i32.mul (local.get $row) (local.get $deep))))
        (local.set $a1 (i32.add (local.get $a0) (local.get $deep)))
        (local.set $a2 (i32.add (local.get $a1) (local.get $deep)))
        (local.set $a3 (i32.add (local.get $a2) (local.get $deep)))
        (local.set $low0 (local.get $zero)) (local.set $high0 (local.get $zero))
        (local.set $low1 (local.get $zero)) (local.set $high1 (local.get $zero))
        (local.set $low2 (local.get $zero)) (local.set $high2 (local.get $zero))
        (local.set $low3 (local.get $zero)) (local.set $high3 (local.get $zero))
        (local.set $k (local.get $inner))
        (loop $sum
          (local.set $low (v128.load (local.get $from)))
          (local.set $high (v128.load offset=16 (local.get $from)))
          (local.set $x (v128.load64_splat (local.get $a0)))
          (local.set $low0 (f64x2.add (local.get $low0) (f64x2.mul (local.get $x) (local.get $low))))
          (local.set $high0 (f64x2.add (local.get $high0) (f64x2.mul (local.get $x) (local.get $high))))
          (local.set $a0 (i32.add (local.get $a0) (i32.const 8)))
          (local.set $x (v128.load64_splat (local.get $a1)))
          (local.set $low1 (f64x2.add (local.get $low1) (f64x2.mul (local.get $x) (local.get $low))))
          (local.set $high1 (f64x2.add (local.get $high1) (f64x2.mul (local.get $x) (local.get $high))))
          (local.set $a1 (i32.add (local.get $a1) (i32.const 8)))
          (local.set $x (v128.load64_splat (local.get $a2)))
          (local.set $low2 (f64x2.add (local.get $low2) (f64x2.mul (local.get $x) (local.get $low))))
          (local.set $high2 (f64x2.add (local.get $high2) (f64x2.mul (local.get $x) (local.get $high))))
          (local.set $a2 (i32.add (local.get $a2) (i32.const 8)))
          (local.set $x (v128.load64_splat (local.get $a3)))
          (local.set $low3 (f64x2.add (local.get $low3) (f64x2.mul (local.get $x) (local.get $low))))
          (local.set $high3 (f64x2.add (local.get $high3) (f64x2.mul (local.get $x) (local.get $high))))
          (local.set $a3 (i32.add (local.get $a3) (i32.const 8)))
          (local.set $from (i32.add (local.get $from) (i32.const 32)))
          (br_if $sum (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
        (local.set $a0 (local.get $to))
        (local.set $a1 (i32.add (local.get $a0) (local.get $wide)))
        (local.set $a2 (i32.add (local.get $a1) (local.get $wide)))
        (local.set $a3 (i32.add (local.get $a2) (local.get $wide)))
        (v128.store (local.get $a0) (local.get $low0)) (v128.store offset=16 (local.get $a0) (local.get $high0))
        (v128.store (local.get $a1) (local.get $low1)) (v128.store offset=16 (local.get $a1) (local.get $high1))
        (v128.store (local.get $a2) (local.get $low2)) (v128.store offset=16 (local.get $a2) (local.get $high2))
        (v128.store (local.get $a3) (local.get $low3)) (v128.store offset=16 (local.get $a3) (local.get $high3))
        (local.set $to (i32.add (local.get $to) (i32.const 32)))
        (br_if $columns (local.tee $panel (i32.sub (local.get $panel) (i32.const 1)))))
      (local.set $block (i32.add (local.get $block) (i32.const 4)))
      (br_if $blocks (i32.lt_s (local.get $block) (local.get $rows))))))
