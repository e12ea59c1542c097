export interface Message {
  id: string | undefined
  event: string
  data: string
}

/** Reads server-sent events from a response. Unlike EventSource it also reports heartbeats, so silence can be noticed. */
export async function* readMessages(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  const unfinished: string[] = []
  let lines: string[] = []
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    onBytes()
    // Joined only when a line ends: otherwise a long line in many chunks would be copied for each of them.
    unfinished.push(value)
    if (!/[\r\n]/.test(value)) continue
    // A carriage return at the end may be the first half of a line end.
    const complete = unfinished.join('').split(/\r\n|\n|\r(?!$)/)
    unfinished.splice(0, Infinity, complete.pop() ?? '')
    for (const line of complete) {
      if (line !== '') lines.push(line)
      else {
        const message = readBlock(lines)
        if (message) yield message
        lines = []
      }
    }
  }
}

/** Only `data` may have several lines. The server first says where to continue from: an id without data. */
function readBlock(lines: readonly string[]): Message | undefined {
  let id: string | undefined
  let event = ''
  let data: string | undefined
  for (const line of lines) {
    const at = line.indexOf(':')
    const name = at < 0 ? line : line.slice(0, at)
    const value = at < 0 ? '' : line.slice(line[at + 1] === ' ' ? at + 2 : at + 1)
    if (name === 'id') id = value
    else if (name === 'event') event = value
    else if (name === 'data') data = data === undefined ? value : `${data}\n${value}`
  }
  if (id === undefined && data === undefined) return undefined
  return { id, event: event || 'message', data: data ?? '' }
}
