/** The first of ours that the client names, unless it says that it will not have it. */
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
