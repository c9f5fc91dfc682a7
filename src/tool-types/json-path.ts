// A small JSON path language: order.items[0].name, items[*].id, ['odd.key'], with or without a leading $.

const MAX_STEPS = 20
const MAX_EACH = 100

type Step = string | number | '*'
type Path = readonly { step: Step; isEach: boolean }[]

const part = /\.?([^.[\]'"\s$][^.[\]]*)|\[(\d{1,9})\]|\[(\*?)\]|\[(?:'([^']*)'|"([^"]*)")\]/y

/** Null if it is not a valid path. */
export function parsePath(text: string): Path | null {
  const rest = text.trim().replace(/^\$(?=$|[.[])/, '')
  const steps: { step: Step; isEach: boolean }[] = []
  part.lastIndex = 0
  while (part.lastIndex < rest.length) {
    const [whole, name, index, each, single, double] = part.exec(rest) ?? []
    if (whole === undefined || steps.length === MAX_STEPS) return null
    if (each !== undefined) steps.push({ step: '*', isEach: true })
    else steps.push({ step: index === undefined ? (name ?? single ?? double ?? '') : Number(index), isEach: false })
  }
  return steps
}

/** The value at the path; undefined if there is none. */
export function at(value: unknown, path: Path): unknown {
  const [first, ...rest] = path
  if (!first) return value
  if (first.isEach) {
    if (!Array.isArray(value)) return undefined
    return value.slice(0, MAX_EACH).flatMap((one) => {
      const found = at(one, rest)
      return found === undefined ? [] : [found]
    })
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, first.step)) return undefined
  return at((value as Record<string | number, unknown>)[first.step], rest)
}
