/** Makes a value when it is first needed, and keeps it. */
export function lazy<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}
