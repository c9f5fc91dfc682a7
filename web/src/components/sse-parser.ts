// Parses server-sent events from text chunks. Pure.
export type ServerEvent = { event: string; data: unknown }

/** Returns the complete events, and the remaining text to prepend to the next chunk. */
export function parseSse(text: string): { events: ServerEvent[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  return { events: blocks.flatMap(parseBlock), rest }
}

function parseBlock(block: string): ServerEvent[] {
  const lines = block.split('\n')
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).replace(/^ /, ''))
  const data = valuesOf('data')
  if (data.length === 0) return [] // a keep-alive comment
  return [{ event: valuesOf('event').at(-1) ?? 'message', data: JSON.parse(data.join('\n')) }]
}
