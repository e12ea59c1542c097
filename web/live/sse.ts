export interface Message {
  id: string | undefined
  event: string
  data: string
}

/** Reads server-sent events from a response. Unlike EventSource it also reports heartbeats, so silence can be noticed. */
export async function* readMessages(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Message> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    onBytes()
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const message = readBlock(block)
      if (message) yield message
    }
  }
}

function readBlock(block: string): Message | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).trimStart())
  }
  if (fields.size === 0) return undefined
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: fields.get('data') ?? '' }
}
