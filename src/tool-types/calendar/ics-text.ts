// Parses and writes iCalendar text (RFC 5545) as components and properties, in linear time.

export type Property = { name: string; params: Readonly<Record<string, string>>; value: string }
export type Component = { name: string; properties: Property[]; parts: Component[] }

const MAX_DEPTH = 8
const MAX_COMPONENTS = 20_000
/** Longer lines are file attachments. */
const MAX_LINE = 65_536

const head = /^([A-Za-z0-9-]{1,64})(?=[;:])/
const param = /;([A-Za-z0-9-]{1,64})=((?:"[^"]*"|[^",;:])*(?:,(?:"[^"]*"|[^",;:])*)*)/y

/** Null if it is not iCalendar text. */
export function readIcs(text: string): Component | null {
  const root: Component = { name: '', properties: [], parts: [] }
  const open = [root]
  let components = 0
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n|\r/)) {
    if (line === '' || line.length > MAX_LINE) continue
    const inner = open.at(-1) as Component
    const read = propertyOf(line)
    if (!read) continue
    if (read.name === 'BEGIN') {
      const part: Component = { name: read.value.trim().toUpperCase(), properties: [], parts: [] }
      inner.parts.push(part)
      open.push(part)
      if (open.length > MAX_DEPTH || ++components > MAX_COMPONENTS) return null
    } else if (read.name === 'END') {
      if (open.length === 1 || read.value.trim().toUpperCase() !== inner.name) return null
      open.pop()
    } else if (open.length > 1) inner.properties.push(read)
  }
  const [calendar] = root.parts
  return open.length === 1 && calendar?.name === 'VCALENDAR' ? calendar : null
}

function propertyOf(line: string): Property | null {
  const name = head.exec(line)?.[1]
  if (name === undefined) return null
  const params: Record<string, string> = {}
  let at = name.length
  for (;;) {
    param.lastIndex = at
    const found = param.exec(line)
    if (!found) break
    params[`${found[1]}`.toUpperCase()] = `${found[2]}`.replaceAll('"', '')
    at = param.lastIndex
  }
  return line[at] === ':' ? { name: name.toUpperCase(), params, value: line.slice(at + 1) } : null
}

export const textOf = ({ properties }: Component, name: string): string | undefined =>
  properties.find((property) => property.name === name)?.value

export const propertiesOf = ({ properties }: Component, name: string): Property[] =>
  properties.filter((property) => property.name === name)

export const plainOf = (value: string): string =>
  value.replace(/\\([\\;,nN])/g, (_, letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter))

/** Properties by name; text values must already be escaped. */
export function writeIcs(lines: readonly (readonly [string, string])[]): string {
  return lines.map(([name, value]) => folded(`${name}:${value}`)).join('')
}

/** Removes characters that iCalendar cannot hold. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** At most 75 bytes per line, without splitting a character. */
function folded(line: string): string {
  let text = ''
  let bytes = 0
  for (const letter of line) {
    const size = Buffer.byteLength(letter)
    if (bytes + size > 75) {
      text += '\r\n '
      bytes = 1
    }
    text += letter
    bytes += size
  }
  return `${text}\r\n`
}
