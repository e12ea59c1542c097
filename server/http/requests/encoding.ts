/** The first of our encodings that the client accepts. */
export function chooseEncoding<Encoding extends string>(
  accepted: string | string[] | undefined,
  ours: readonly Encoding[],
): Encoding | undefined {
  const named = String(accepted ?? '')
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim().toLowerCase())
  return ours.find((encoding) => named.includes(encoding))
}
