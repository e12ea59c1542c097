/* As much of the tar format (POSIX ustar) as a backup needs: plain files, one after the other. */

export const tarBlock = 512

/** The padding of a member's last block. */
export const paddingOf = (bytes: number) => (tarBlock - (bytes % tarBlock)) % tarBlock

/** The largest size that fits into the eleven octal digits of a header. */
const mostBytes = 0o77777777777

export function tarHeader(path: string, bytes: number, modified: Date): Buffer {
  const header = Buffer.alloc(tarBlock)
  const octal = (value: number, at: number, digits: number) => header.write(value.toString(8).padStart(digits, '0'), at)
  const { prefix, name } = splitPath(path)
  if (bytes > mostBytes) throw new Error(`${path} is too large for a backup: more than 8 GB in one file`)
  header.write(name, 0)
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(bytes, 124, 11)
  octal(Math.floor(modified.getTime() / 1000), 136, 11)
  header.write('0', 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  header.write(prefix, 345)
  octal(sumOf(header), 148, 6)
  header.write('\0 ', 154)
  return header
}

/** The name and size of a member; undefined for the empty block that ends an archive, or for anything but a header. */
export function readTarHeader(header: Buffer): { path: string; bytes: number } | undefined {
  const text = (at: number, length: number) => {
    const field = header.subarray(at, at + length)
    const end = field.indexOf(0)
    return field.toString('utf8', 0, end < 0 ? length : end)
  }
  if (Number.parseInt(text(148, 8), 8) !== sumOf(header) || text(257, 6) !== 'ustar') return undefined
  const [name, prefix] = [text(0, 100), text(345, 155)]
  return { path: prefix ? `${prefix}/${name}` : name, bytes: Number.parseInt(text(124, 12), 8) }
}

/** The sum of all bytes, counting those of the sum itself as spaces. */
function sumOf(header: Buffer): number {
  let sum = 8 * 32
  for (let at = 0; at < tarBlock; at += 1) if (at < 148 || at >= 156) sum += header[at] as number
  return sum
}

function splitPath(path: string): { prefix: string; name: string } {
  const bytes = (text: string) => Buffer.byteLength(text)
  if (bytes(path) <= 100) return { prefix: '', name: path }
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
    if (bytes(prefix) <= 155 && bytes(name) <= 100) return { prefix, name }
  }
  throw new Error(`The path ${path} is too long for a backup`)
}
