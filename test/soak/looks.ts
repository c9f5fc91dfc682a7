// Resources of an idle process, compared over time: two measurements reveal a leak of a kilobyte per call.

export type Look = {
  /** Calls made before this measurement. */
  calls: number
  heapMb: number
  /** Buffers outside the heap. */
  buffersMb: number
  residentMb: number
  sockets: number
  files: number
  /** On the heap: active ones and those still referenced. */
  timers: number
  signals: number
  threads: number
  /** Calls and legs that are still open. */
  live: number
  legs: number
  /** Time in which the media thread opens, queries and closes a leg, including its queue. */
  mediaMs: number
  /** Share of a core when idle. */
  atRest: number
  /** Rows in the tables that grow with each call, and calls that have not ended. */
  rows: { calls: number; unended: number; messages: number; turns: number }
}

/** Tolerances for growth that is not a leak: pooled connections, late compilation, pages that the allocator keeps. */
const slack = {
  heapMb: 5,
  heapKbPerCall: 0.4,
  buffersMb: 4,
  residentMb: 40,
  residentKbPerCall: 2,
  sockets: 12,
  files: 16,
  timers: 40,
  signals: 40,
  timersPerCall: 0.01,
  threads: 4,
  mediaMs: 500,
  atRest: 0.25,
}

/** Describes the growth between the first and the last measurement; empty if there is none. */
export function growth(looks: readonly Look[]): string[] {
  const [first, last] = [looks[0], looks.at(-1)]
  if (!first || !last || first === last) return ['it was not looked at twice']
  const calls = last.calls - first.calls
  const most: Partial<Record<keyof Look, number>> = {
    heapMb: slack.heapMb + (slack.heapKbPerCall * calls) / 1000,
    buffersMb: slack.buffersMb,
    residentMb: slack.residentMb + (slack.residentKbPerCall * calls) / 1000,
    sockets: slack.sockets,
    files: slack.files,
    timers: slack.timers + slack.timersPerCall * calls,
    signals: slack.signals + slack.timersPerCall * calls,
    threads: slack.threads,
  }
  const grown = Object.entries(most).flatMap(([name, allowed]) => {
    const by = Number(last[name as keyof Look]) - Number(first[name as keyof Look])
    return by > allowed ? [`${name} grew by ${by.toFixed(1)} in ${calls} calls`] : []
  })
  return [...grown, ...looks.flatMap(unrest)]
}

/** Signs of remaining activity; empty if the process is at rest. */
function unrest({ calls: at, live, legs, mediaMs, atRest, rows }: Look): string[] {
  return [
    ...(live > 0 ? [`${live} calls were live after ${at}`] : []),
    ...(legs > 0 ? [`${legs} legs were open after ${at}`] : []),
    ...(mediaMs > slack.mediaMs ? [`the media thread took ${mediaMs.toFixed(0)} ms after ${at}`] : []),
    ...(atRest > slack.atRest ? [`${atRest.toFixed(2)} of a core at rest after ${at}`] : []),
    ...(rows.unended > 0 ? [`${rows.unended} rows of calls have no end after ${at}`] : []),
  ]
}
export const isAtRest = (look: Look): boolean => unrest(look).length === 0

const heads: [string, (look: Look) => string | number][] = [
  ['calls', ({ calls }) => calls],
  ['heap MB', ({ heapMb }) => heapMb.toFixed(1)],
  ['buffers MB', ({ buffersMb }) => buffersMb.toFixed(1)],
  ['resident MB', ({ residentMb }) => residentMb.toFixed(0)],
  ['sockets', ({ sockets }) => sockets],
  ['files', ({ files }) => files],
  ['timers', ({ timers }) => timers],
  ['signals', ({ signals }) => signals],
  ['threads', ({ threads }) => threads],
  ['live, legs', ({ live, legs }) => `${live}, ${legs}`],
  ['media ms', ({ mediaMs }) => mediaMs.toFixed(0)],
  ['core at rest', ({ atRest }) => atRest.toFixed(3)],
  ['rows: calls', ({ rows }) => rows.calls],
  ['unended', ({ rows }) => rows.unended],
  ['messages', ({ rows }) => rows.messages],
  ['turns', ({ rows }) => rows.turns],
]

export const tableHead = (): string =>
  `| ${heads.map(([name]) => name).join(' | ')} |\n|${heads.map(() => '---:').join('|')}|`
export const tableRow = (look: Look): string => `| ${heads.map(([, cell]) => cell(look)).join(' | ')} |`
