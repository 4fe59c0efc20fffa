;; Loops that work on four float32 numbers at a time, or two of float64. All places are addresses in bytes; what is counted
;; comes in fours.
(module
  (memory (export "memory") 1)

  ;; The product of two matrices of float64, four rows and four columns at a time. A sum runs over k in order, each product
  ;; rounded before it is added, as a loop of JavaScript does it: the bits are the same, in a quarter of the time.
  ;; left: (rows, inner) by rows; packed: right's columns in panels of four, each (inner, 4); out: (rows, 4 panels).
  (func (export "multiplyWide")
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
      (br_if $blocks (i32.lt_s (local.get $block) (local.get $rows)))))

  ;; The same for a single row.
  (func (export "multiplyRow") (param $left i32) (param $packed i32) (param $out i32) (param $inner i32) (param $panels i32)
    (local $k i32) (local $at i32) (local $low v128) (local $high v128) (local $x v128)
    (loop $columns
      (local.set $low (v128.const f64x2 0 0))
      (local.set $high (v128.const f64x2 0 0))
      (local.set $at (local.get $left))
      (local.set $k (local.get $inner))
      (loop $sum
        (local.set $x (v128.load64_splat (local.get $at)))
        (local.set $low (f64x2.add (local.get $low) (f64x2.mul (local.get $x) (v128.load (local.get $packed)))))
        (local.set $high (f64x2.add (local.get $high) (f64x2.mul (local.get $x) (v128.load offset=16 (local.get $packed)))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (local.set $packed (i32.add (local.get $packed) (i32.const 32)))
        (br_if $sum (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
      (v128.store (local.get $out) (local.get $low)) (v128.store offset=16 (local.get $out) (local.get $high))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (br_if $columns (local.tee $panels (i32.sub (local.get $panels) (i32.const 1))))))

  ;; The product again, of float32, eight columns at a time, and the sums in float32 too. lanes.mjs makes one instruction of the two
  ;; that take a product and add it, where a browser has such.
  ;; left: (rows, inner) by rows, rows a multiple of four; packed: right's columns in panels of eight, each (inner, 8);
  ;; out: (rows, 8 panels). Sums run over at most $depth of inner before they are added up: less is rounded away.
  (func (export "multiply")
    (param $left i32) (param $packed i32) (param $out i32) (param $rows i32) (param $inner i32) (param $panels i32)
    (param $depth i32)
    (local $done i32) (local $part i32) (local $row i32) (local $panel i32) (local $k i32)
    (local $deep i32) (local $wide i32) (local $from i32) (local $start i32) (local $to i32)
    (local $a0 i32) (local $a1 i32) (local $a2 i32) (local $a3 i32)
    (local $l0 v128) (local $h0 v128) (local $l1 v128) (local $h1 v128)
    (local $l2 v128) (local $h2 v128) (local $l3 v128) (local $h3 v128)
    (local $low v128) (local $high v128) (local $x v128) (local $zero v128)
    (local.set $deep (i32.shl (local.get $inner) (i32.const 2)))
    (local.set $wide (i32.shl (local.get $panels) (i32.const 5)))
    (loop $parts
      (local.set $part (i32.sub (local.get $inner) (local.get $done)))
      (if (i32.gt_s (local.get $part) (local.get $depth)) (then (local.set $part (local.get $depth))))
      (local.set $panel (i32.const 0))
      (loop $columns
        (local.set $start (i32.add (local.get $packed) (i32.shl
          (i32.add (i32.mul (local.get $panel) (local.get $inner)) (local.get $done)) (i32.const 5))))
        (local.set $row (i32.const 0))
        (loop $blocks
          (local.set $from (local.get $start))
          (local.set $a0 (i32.add (local.get $left) (i32.add (i32.mul (local.get $row) (local.get $deep)) (i32.shl (local.get $done) (i32.const 2)))))
          (local.set $a1 (i32.add (local.get $a0) (local.get $deep)))
          (local.set $a2 (i32.add (local.get $a1) (local.get $deep)))
          (local.set $a3 (i32.add (local.get $a2) (local.get $deep)))
          (local.set $l0 (local.get $zero)) (local.set $h0 (local.get $zero))
          (local.set $l1 (local.get $zero)) (local.set $h1 (local.get $zero))
          (local.set $l2 (local.get $zero)) (local.set $h2 (local.get $zero))
          (local.set $l3 (local.get $zero)) (local.set $h3 (local.get $zero))
          (local.set $k (local.get $part))
          (loop $sum
            (local.set $low (v128.load (local.get $from)))
            (local.set $high (v128.load offset=16 (local.get $from)))
            (local.set $x (v128.load32_splat (local.get $a0)))
            (local.set $l0 (f32x4.add (f32x4.mul (local.get $x) (local.get $low)) (local.get $l0)))
            (local.set $h0 (f32x4.add (f32x4.mul (local.get $x) (local.get $high)) (local.get $h0)))
            (local.set $x (v128.load32_splat (local.get $a1)))
            (local.set $l1 (f32x4.add (f32x4.mul (local.get $x) (local.get $low)) (local.get $l1)))
            (local.set $h1 (f32x4.add (f32x4.mul (local.get $x) (local.get $high)) (local.get $h1)))
            (local.set $x (v128.load32_splat (local.get $a2)))
            (local.set $l2 (f32x4.add (f32x4.mul (local.get $x) (local.get $low)) (local.get $l2)))
            (local.set $h2 (f32x4.add (f32x4.mul (local.get $x) (local.get $high)) (local.get $h2)))
            (local.set $x (v128.load32_splat (local.get $a3)))
            (local.set $l3 (f32x4.add (f32x4.mul (local.get $x) (local.get $low)) (local.get $l3)))
            (local.set $h3 (f32x4.add (f32x4.mul (local.get $x) (local.get $high)) (local.get $h3)))
            (local.set $a0 (i32.add (local.get $a0) (i32.const 4)))
            (local.set $a1 (i32.add (local.get $a1) (i32.const 4)))
            (local.set $a2 (i32.add (local.get $a2) (i32.const 4)))
            (local.set $a3 (i32.add (local.get $a3) (i32.const 4)))
            (local.set $from (i32.add (local.get $from) (i32.const 32)))
            (br_if $sum (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
          (local.set $to (i32.add (local.get $out) (i32.add (i32.mul (local.get $row) (local.get $wide)) (i32.shl (local.get $panel) (i32.const 5)))))
          (local.set $a1 (i32.add (local.get $to) (local.get $wide)))
          (local.set $a2 (i32.add (local.get $a1) (local.get $wide)))
          (local.set $a3 (i32.add (local.get $a2) (local.get $wide)))
          (if (local.get $done) (then
            (local.set $l0 (f32x4.add (local.get $l0) (v128.load (local.get $to))))
            (local.set $h0 (f32x4.add (local.get $h0) (v128.load offset=16 (local.get $to))))
            (local.set $l1 (f32x4.add (local.get $l1) (v128.load (local.get $a1))))
            (local.set $h1 (f32x4.add (local.get $h1) (v128.load offset=16 (local.get $a1))))
            (local.set $l2 (f32x4.add (local.get $l2) (v128.load (local.get $a2))))
            (local.set $h2 (f32x4.add (local.get $h2) (v128.load offset=16 (local.get $a2))))
            (local.set $l3 (f32x4.add (local.get $l3) (v128.load (local.get $a3))))
            (local.set $h3 (f32x4.add (local.get $h3) (v128.load offset=16 (local.get $a3))))))
          (v128.store (local.get $to) (local.get $l0)) (v128.store offset=16 (local.get $to) (local.get $h0))
          (v128.store (local.get $a1) (local.get $l1)) (v128.store offset=16 (local.get $a1) (local.get $h1))
          (v128.store (local.get $a2) (local.get $l2)) (v128.store offset=16 (local.get $a2) (local.get $h2))
          (v128.store (local.get $a3) (local.get $l3)) (v128.store offset=16 (local.get $a3) (local.get $h3))
          (br_if $blocks (i32.lt_s (local.tee $row (i32.add (local.get $row) (i32.const 4))) (local.get $rows))))
        (br_if $columns (i32.lt_s (local.tee $panel (i32.add (local.get $panel) (i32.const 1))) (local.get $panels))))
      (br_if $parts (i32.lt_s (local.tee $done (i32.add (local.get $done) (local.get $part))) (local.get $inner)))))

  ;; Copies columns of a matrix into panels of 32 bytes, so that a product reads them in order. $from: its rows, $stride bytes
  ;; apart; $to: a panel of it, the next one $next bytes on. What the last panel has too many is whatever stands there.
  (func (export "pack") (param $from i32) (param $stride i32) (param $rows i32) (param $to i32) (param $next i32) (param $panels i32)
    (local $in i32) (local $out i32) (local $k i32)
    (loop $columns
      (local.set $in (local.get $from))
      (local.set $out (local.get $to))
      (local.set $k (local.get $rows))
      (loop $down
        (v128.store (local.get $out) (v128.load (local.get $in)))
        (v128.store offset=16 (local.get $out) (v128.load offset=16 (local.get $in)))
        (local.set $in (i32.add (local.get $in) (local.get $stride)))
        (local.set $out (i32.add (local.get $out) (i32.const 32)))
        (br_if $down (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
      (local.set $from (i32.add (local.get $from) (i32.const 32)))
      (local.set $to (i32.add (local.get $to) (local.get $next)))
      (br_if $columns (local.tee $panels (i32.sub (local.get $panels) (i32.const 1))))))

  ;; e^x: x = n log 2 + r, |r| <= log 2 / 2, a polynomial of r (Cephes, expf), and 2^n in two halves, so that neither
  ;; overflows. What is added to n and taken away again rounds it to a whole number, which stands in the last bits.
  ;; Terms are taken in pairs, which wait less for each other.
  (func $exp (param $x v128) (result v128) (local $n v128) (local $p v128) (local $s v128) (local $i v128) (local $half v128)
    (local.set $x (f32x4.pmax (f32x4.pmin (local.get $x) (v128.const f32x4 89 89 89 89)) (v128.const f32x4 -104 -104 -104 -104)))
    (local.set $i (f32x4.add (f32x4.mul (local.get $x) (v128.const f32x4 1.4426950408889634 1.4426950408889634 1.4426950408889634 1.4426950408889634)) (v128.const f32x4 12582912 12582912 12582912 12582912)))
    (local.set $n (f32x4.sub (local.get $i) (v128.const f32x4 12582912 12582912 12582912 12582912)))
    (local.set $i (i32x4.sub (local.get $i) (v128.const f32x4 12582912 12582912 12582912 12582912)))
    (local.set $x (f32x4.add (f32x4.mul (local.get $n) (v128.const f32x4 -0.693359375 -0.693359375 -0.693359375 -0.693359375)) (local.get $x)))
    (local.set $x (f32x4.add (f32x4.mul (local.get $n) (v128.const f32x4 2.12194440e-4 2.12194440e-4 2.12194440e-4 2.12194440e-4)) (local.get $x)))
    (local.set $s (f32x4.mul (local.get $x) (local.get $x)))
    (local.set $p (f32x4.add (f32x4.mul (v128.const f32x4 1.9875691500e-4 1.9875691500e-4 1.9875691500e-4 1.9875691500e-4) (local.get $x)) (v128.const f32x4 1.3981999507e-3 1.3981999507e-3 1.3981999507e-3 1.3981999507e-3)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.add (f32x4.mul (v128.const f32x4 8.3334519073e-3 8.3334519073e-3 8.3334519073e-3 8.3334519073e-3) (local.get $x)) (v128.const f32x4 4.1665795894e-2 4.1665795894e-2 4.1665795894e-2 4.1665795894e-2))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (f32x4.add (f32x4.mul (v128.const f32x4 1.6666665459e-1 1.6666665459e-1 1.6666665459e-1 1.6666665459e-1) (local.get $x)) (v128.const f32x4 5.0000001201e-1 5.0000001201e-1 5.0000001201e-1 5.0000001201e-1))))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (local.get $x)))
    (local.set $p (f32x4.add (local.get $p) (v128.const f32x4 1 1 1 1)))
    (local.set $half (i32x4.shr_s (local.get $i) (i32.const 1)))
    (local.set $p (f32x4.mul (local.get $p) (i32x4.shl (i32x4.add (local.get $half) (v128.const i32x4 127 127 127 127)) (i32.const 23))))
    (f32x4.mul (local.get $p) (i32x4.shl (i32x4.add (i32x4.sub (local.get $i) (local.get $half)) (v128.const i32x4 127 127 127 127)) (i32.const 23))))

  ;; 1 / (1 + e^-x), by e^-|x|, which never overflows.
  (func $sigmoid (param $x v128) (result v128) (local $e v128)
    (local.set $e (call $exp (f32x4.neg (f32x4.abs (local.get $x)))))
    (f32x4.div
      (v128.bitselect (local.get $e) (v128.const f32x4 1 1 1 1) (f32x4.lt (local.get $x) (v128.const f32x4 0 0 0 0)))
      (f32x4.add (local.get $e) (v128.const f32x4 1 1 1 1))))

  ;; tanh: a polynomial near 0 (Cephes, tanhf), else 1 - 2 / (e^2|x| + 1) with the sign of x.
  (func $tanh (param $x v128) (result v128) (local $s v128) (local $p v128) (local $far v128) (local $size v128)
    (local.set $size (f32x4.abs (local.get $x)))
    (local.set $s (f32x4.mul (local.get $x) (local.get $x)))
    (local.set $p (v128.const f32x4 -5.70498872745e-3 -5.70498872745e-3 -5.70498872745e-3 -5.70498872745e-3))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (v128.const f32x4 2.06390887954e-2 2.06390887954e-2 2.06390887954e-2 2.06390887954e-2)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (v128.const f32x4 -5.37397155531e-2 -5.37397155531e-2 -5.37397155531e-2 -5.37397155531e-2)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (v128.const f32x4 1.33314422036e-1 1.33314422036e-1 1.33314422036e-1 1.33314422036e-1)))
    (local.set $p (f32x4.add (f32x4.mul (local.get $p) (local.get $s)) (v128.const f32x4 -3.33332819422e-1 -3.33332819422e-1 -3.33332819422e-1 -3.33332819422e-1)))
    (local.set $p (f32x4.add (f32x4.mul (f32x4.mul (local.get $p) (local.get $s)) (local.get $x)) (local.get $x)))
    (local.set $far (call $exp (f32x4.add (local.get $size) (local.get $size))))
    (local.set $far (f32x4.sub (v128.const f32x4 1 1 1 1) (f32x4.div (v128.const f32x4 2 2 2 2) (f32x4.add (local.get $far) (v128.const f32x4 1 1 1 1)))))
    (v128.or
      (v128.bitselect (local.get $p) (local.get $far) (f32x4.lt (local.get $size) (v128.const f32x4 0.625 0.625 0.625 0.625)))
      (v128.and (local.get $x) (v128.const f32x4 -0 -0 -0 -0))))

  (func $silu (param $x v128) (result v128) (f32x4.mul (local.get $x) (call $sigmoid (local.get $x))))

  ;; x times the normal distribution, by its tail (Numerical Recipes, erfcc: relative error 1.2e-7 everywhere).
  (func $tail (param $x v128) (result v128) (local $t v128) (local $k v128) (local $s v128) (local $f v128) (local $p v128)
    (local.set $t (f32x4.mul (f32x4.abs (local.get $x)) (v128.const f32x4 0.7071067811865476 0.7071067811865476 0.7071067811865476 0.7071067811865476)))
    (local.set $k (f32x4.div (v128.const f32x4 1 1 1 1) (f32x4.add (f32x4.mul (local.get $t) (v128.const f32x4 0.5 0.5 0.5 0.5)) (v128.const f32x4 1 1 1 1))))
    (local.set $s (f32x4.mul (local.get $k) (local.get $k)))
    (local.set $f (f32x4.mul (local.get $s) (local.get $s)))
    (local.set $p (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul
      (f32x4.add (f32x4.mul (v128.const f32x4 1.48851587 1.48851587 1.48851587 1.48851587) (local.get $k)) (v128.const f32x4 -1.13520398 -1.13520398 -1.13520398 -1.13520398)) (local.get $s))
      (f32x4.add (f32x4.mul (v128.const f32x4 0.27886807 0.27886807 0.27886807 0.27886807) (local.get $k)) (v128.const f32x4 -0.18628806 -0.18628806 -0.18628806 -0.18628806))) (local.get $f)) (f32x4.add (f32x4.mul
      (f32x4.add (f32x4.mul (v128.const f32x4 0.09678418 0.09678418 0.09678418 0.09678418) (local.get $k)) (v128.const f32x4 0.37409196 0.37409196 0.37409196 0.37409196)) (local.get $s))
      (f32x4.add (f32x4.mul (v128.const f32x4 1.00002368 1.00002368 1.00002368 1.00002368) (local.get $k)) (v128.const f32x4 -1.26551223 -1.26551223 -1.26551223 -1.26551223)))))
    (local.set $p (f32x4.add (local.get $p) (f32x4.mul (f32x4.mul (local.get $f) (local.get $f))
      (f32x4.add (f32x4.mul (v128.const f32x4 0.17087277 0.17087277 0.17087277 0.17087277) (local.get $k)) (v128.const f32x4 -0.82215223 -0.82215223 -0.82215223 -0.82215223)))))
    (local.set $p (call $exp (f32x4.sub (local.get $p) (f32x4.mul (local.get $t) (local.get $t)))))
    (local.set $p (f32x4.mul (f32x4.mul (local.get $p) (local.get $k)) (v128.const f32x4 0.5 0.5 0.5 0.5)))
    (f32x4.mul (local.get $x) (v128.bitselect (local.get $p) (f32x4.sub (v128.const f32x4 1 1 1 1) (local.get $p))
      (f32x4.lt (local.get $x) (v128.const f32x4 0 0 0 0)))))

  ;; x (1 + erf(x / sqrt 2)) / 2, as torch takes it; erf is a quotient of polynomials (Eigen, erf), and 1 or -1 beyond 4.
  (func $middle (param $x v128) (result v128) (local $t v128) (local $s v128) (local $p v128) (local $q v128)
    (local.set $t (f32x4.mul (local.get $x) (v128.const f32x4 0.7071067811865476 0.7071067811865476 0.7071067811865476 0.7071067811865476)))
    (local.set $t (f32x4.max (f32x4.min (local.get $t) (v128.const f32x4 4 4 4 4)) (v128.const f32x4 -4 -4 -4 -4)))
    (local.set $s (f32x4.mul (local.get $t) (local.get $t)))
    (local.set $p (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (v128.const f32x4 -2.72614225801306e-10 -2.72614225801306e-10 -2.72614225801306e-10 -2.72614225801306e-10) (local.get $s))
      (v128.const f32x4 2.77068142495902e-08 2.77068142495902e-08 2.77068142495902e-08 2.77068142495902e-08)) (local.get $s))
      (v128.const f32x4 -2.10102402082508e-06 -2.10102402082508e-06 -2.10102402082508e-06 -2.10102402082508e-06)) (local.get $s))
      (v128.const f32x4 -5.69250639462346e-05 -5.69250639462346e-05 -5.69250639462346e-05 -5.69250639462346e-05)) (local.get $s))
      (v128.const f32x4 -7.34990630326855e-04 -7.34990630326855e-04 -7.34990630326855e-04 -7.34990630326855e-04)) (local.get $s))
      (v128.const f32x4 -2.95459980854025e-03 -2.95459980854025e-03 -2.95459980854025e-03 -2.95459980854025e-03)) (local.get $s))
      (v128.const f32x4 -1.60960333262415e-02 -1.60960333262415e-02 -1.60960333262415e-02 -1.60960333262415e-02)))
    (local.set $q (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (f32x4.add (f32x4.mul (v128.const f32x4 -1.45660718464996e-05 -1.45660718464996e-05 -1.45660718464996e-05 -1.45660718464996e-05) (local.get $s))
      (v128.const f32x4 -2.13374055278905e-04 -2.13374055278905e-04 -2.13374055278905e-04 -2.13374055278905e-04)) (local.get $s))
      (v128.const f32x4 -1.68282697438203e-03 -1.68282697438203e-03 -1.68282697438203e-03 -1.68282697438203e-03)) (local.get $s))
      (v128.const f32x4 -7.37332916720468e-03 -7.37332916720468e-03 -7.37332916720468e-03 -7.37332916720468e-03)) (local.get $s))
      (v128.const f32x4 -1.42647390514189e-02 -1.42647390514189e-02 -1.42647390514189e-02 -1.42647390514189e-02)))
    (f32x4.mul (f32x4.mul (local.get $x) (v128.const f32x4 0.5 0.5 0.5 0.5))
      (f32x4.add (f32x4.div (f32x4.mul (local.get $t) (local.get $p)) (local.get $q)) (v128.const f32x4 1 1 1 1))))

  ;; Both, where the tail below -2 has digits that 1 + erf would lose.
  (func $gelu (param $x v128) (result v128)
    (if (result v128) (v128.any_true (f32x4.lt (local.get $x) (v128.const f32x4 -2 -2 -2 -2)))
      (then (call $tail (local.get $x)))
      (else (call $middle (local.get $x)))))

  ;; These functions of all numbers from $at to $end, in their place.
  (func (export "exp") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (call $exp (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "sigmoid") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (call $sigmoid (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "tanh") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (call $tanh (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "silu") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (call $silu (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "gelu") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (call $gelu (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))

  (func (export "neg") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (f32x4.neg (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "sqrt") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (f32x4.sqrt (v128.load (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "relu") (param $at i32) (param $end i32)
    (loop $more
      (v128.store (local.get $at) (v128.andnot (v128.load (local.get $at)) (f32x4.le (v128.load (local.get $at)) (v128.const f32x4 0 0 0 0))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))

  ;; Of the numbers from $at to $end and those from $by on, in place of the first.
  (func (export "add") (param $at i32) (param $end i32) (param $by i32)
    (loop $more
      (v128.store (local.get $at) (f32x4.add (v128.load (local.get $at)) (v128.load (local.get $by))))
      (local.set $by (i32.add (local.get $by) (i32.const 16)))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "sub") (param $at i32) (param $end i32) (param $by i32)
    (loop $more
      (v128.store (local.get $at) (f32x4.sub (v128.load (local.get $at)) (v128.load (local.get $by))))
      (local.set $by (i32.add (local.get $by) (i32.const 16)))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "mul") (param $at i32) (param $end i32) (param $by i32)
    (loop $more
      (v128.store (local.get $at) (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $by))))
      (local.set $by (i32.add (local.get $by) (i32.const 16)))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
  (func (export "div") (param $at i32) (param $end i32) (param $by i32)
    (loop $more
      (v128.store (local.get $at) (f32x4.div (v128.load (local.get $at)) (v128.load (local.get $by))))
      (local.set $by (i32.add (local.get $by) (i32.const 16)))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))

  ;; The sum of both float64 lanes.
  (func $both (param $x v128) (result f64)
    (f64.add (f64x2.extract_lane 0 (local.get $x)) (f64x2.extract_lane 1 (local.get $x))))
  ;; Four float32 numbers as two sums of two, in float64.
  (func $wide (param $x v128) (result v128)
    (f64x2.add (f64x2.promote_low_f32x4 (local.get $x)) (call $upper (local.get $x))))
  (func $upper (param $x v128) (result v128)
    (f64x2.promote_low_f32x4 (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x))))

  ;; Softmax of rows of $size bytes, in their place; sums in float64.
  (func (export "softmax") (param $at i32) (param $end i32) (param $size i32)
    (local $i i32) (local $stop i32) (local $top v128) (local $x v128) (local $sum v128)
    (loop $rows
      (local.set $stop (i32.add (local.get $at) (local.get $size)))
      (local.set $i (local.get $at))
      (local.set $top (v128.const f32x4 -inf -inf -inf -inf))
      (loop $largest
        (local.set $top (f32x4.pmax (local.get $top) (v128.load (local.get $i))))
        (br_if $largest (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16))) (local.get $stop))))
      (local.set $top (f32x4.pmax (local.get $top) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $top) (local.get $top))))
      (local.set $top (f32x4.pmax (local.get $top) (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $top) (local.get $top))))
      (local.set $i (local.get $at))
      (local.set $sum (v128.const f64x2 0 0))
      (loop $powers
        (local.set $x (call $exp (f32x4.sub (v128.load (local.get $i)) (local.get $top))))
        (v128.store (local.get $i) (local.get $x))
        (local.set $sum (f64x2.add (local.get $sum) (call $wide (local.get $x))))
        (br_if $powers (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16))) (local.get $stop))))
      (local.set $top (f32x4.splat (f32.demote_f64 (f64.div (f64.const 1) (call $both (local.get $sum))))))
      (loop $shares
        (v128.store (local.get $at) (f32x4.mul (v128.load (local.get $at)) (local.get $top)))
        (br_if $shares (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stop))))
      (br_if $rows (i32.lt_u (local.get $at) (local.get $end)))))

  ;; Layer normalisation of a row in its place; mean and 1 / deviation in float64, which it writes to $stats.
  ;; weight and bias stand behind each other at $scale.
  (func (export "normalise") (param $at i32) (param $size i32) (param $scale i32) (param $stats i32) (param $eps f64)
    (local $i i32) (local $stop i32) (local $x v128) (local $sum v128) (local $low v128) (local $high v128)
    (local $mean v128) (local $rstd v128) (local $count f64)
    (local.set $count (f64.convert_i32_u (i32.shr_u (local.get $size) (i32.const 2))))
    (local.set $stop (i32.add (local.get $at) (local.get $size)))
    (local.set $i (local.get $at))
    (loop $total
      (local.set $sum (f64x2.add (local.get $sum) (call $wide (v128.load (local.get $i)))))
      (br_if $total (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16))) (local.get $stop))))
    (local.set $mean (f64x2.splat (f64.div (call $both (local.get $sum)) (local.get $count))))
    (local.set $sum (v128.const f64x2 0 0))
    (local.set $i (local.get $at))
    (loop $spread
      (local.set $x (v128.load (local.get $i)))
      (local.set $low (f64x2.sub (f64x2.promote_low_f32x4 (local.get $x)) (local.get $mean)))
      (local.set $high (f64x2.sub (call $upper (local.get $x)) (local.get $mean)))
      (local.set $sum (f64x2.add (local.get $sum) (f64x2.add (f64x2.mul (local.get $low) (local.get $low)) (f64x2.mul (local.get $high) (local.get $high)))))
      (br_if $spread (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 16))) (local.get $stop))))
    (local.set $rstd (f64x2.splat (f64.div (f64.const 1) (f64.sqrt (f64.add (f64.div (call $both (local.get $sum)) (local.get $count)) (local.get $eps))))))
    (f64.store (local.get $stats) (f64x2.extract_lane 0 (local.get $mean)))
    (f64.store offset=8 (local.get $stats) (f64x2.extract_lane 0 (local.get $rstd)))
    (loop $out
      (local.set $x (v128.load (local.get $at)))
      (local.set $low (f32x4.demote_f64x2_zero (f64x2.mul (f64x2.sub (f64x2.promote_low_f32x4 (local.get $x)) (local.get $mean)) (local.get $rstd))))
      (local.set $high (f32x4.demote_f64x2_zero (f64x2.mul (f64x2.sub (call $upper (local.get $x)) (local.get $mean)) (local.get $rstd))))
      (local.set $x (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $low) (local.get $high)))
      (v128.store (local.get $at) (f32x4.add (f32x4.mul (local.get $x) (v128.load (local.get $scale)))
        (v128.load (i32.add (local.get $scale) (local.get $size)))))
      (local.set $scale (i32.add (local.get $scale) (i32.const 16)))
      (br_if $out (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stop))))))
