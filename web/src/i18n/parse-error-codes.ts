// Parses the X-Error-Code header: a list of codes with parameters (RFC 9651). Parsing stops at the first malformed
// member.

export type ErrorProblem = { code: string; params: Readonly<Record<string, string | number>> }

const codePattern = /^[a-z][a-z0-9_]*/
const keyPattern = /^;\s*([a-z][a-z0-9_]*)=/
const numberPattern = /^-?\d{1,15}/

export function parseErrorCodes(header: string | null | undefined): ErrorProblem[] {
  const problems: ErrorProblem[] = []
  let rest = (header ?? '').trim()
  while (rest !== '') {
    const code = codePattern.exec(rest)?.[0]
    if (code === undefined) return problems
    const read = parameters(rest.slice(code.length))
    if (read === undefined) return problems
    problems.push({ code, params: read.params })
    rest = read.rest.trimStart()
    if (rest !== '' && !rest.startsWith(',')) return problems
    rest = rest.slice(1).trimStart()
  }
  return problems
}

function parameters(text: string): { params: Record<string, string | number>; rest: string } | undefined {
  const params: Record<string, string | number> = {}
  let rest = text
  for (let key = keyPattern.exec(rest); key; key = keyPattern.exec(rest)) {
    const item = bareItem(rest.slice(key[0].length))
    if (item === undefined) return undefined
    params[key[1] ?? ''] = item.value
    rest = item.rest
  }
  return { params, rest }
}

function bareItem(text: string): { value: string | number; rest: string } | undefined {
  if (text.startsWith('"')) return quoted(text)
  if (text.startsWith('%"')) return displayString(text)
  const number = numberPattern.exec(text)?.[0]
  return number === undefined ? undefined : { value: Number(number), rest: text.slice(number.length) }
}

function quoted(text: string): { value: string; rest: string } | undefined {
  let value = ''
  for (let i = 1; i < text.length; i++) {
    if (text[i] === '"') return { value, rest: text.slice(i + 1) }
    if (text[i] === '\\') i++
    value += text[i] ?? ''
  }
  return undefined
}

function displayString(text: string): { value: string; rest: string } | undefined {
  const end = text.indexOf('"', 2)
  if (end === -1) return undefined
  try {
    return { value: decodeURIComponent(text.slice(2, end)), rest: text.slice(end + 1) }
  } catch {
    return undefined
  }
}
