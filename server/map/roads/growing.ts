/* Lists of numbers that grow, without an object for each. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

export class Growing<List extends Numbers> {
  length = 0
  private space: List
  private readonly make: new (
    length: number,
  ) => List

  constructor(make: new (length: number) => List) {
    this.make = make
    this.space = new make(1024)
  }

  push(number: number) {
    if (this.length === this.space.length) {
      // By half: the old and the new one are both there for a moment, and a country has many millions.
      const larger = new this.make(Math.ceil(this.space.length * 1.5))
      larger.set(this.space)
      this.space = larger
    }
    this.space[this.length] = number
    this.length += 1
  }

  at = (index: number) => this.space[index] as number

  /** What there is so far; valid until the next one comes. */
  list(): List {
    return this.space.subarray(0, this.length) as List
  }
}
