// Preloaded into the platform: reports over IPC the most CPU time that a single event-loop turn took since the last
// query.
const EVERY_MS = 2

let longestMs = 0
let lastUs = total(process.threadCpuUsage())

function total({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

/** A timer fires once per turn: at most one long turn fits between two of its calls. */
setInterval(() => {
  const nowUs = total(process.threadCpuUsage())
  longestMs = Math.max(longestMs, (nowUs - lastUs) / 1000)
  lastUs = nowUs
}, EVERY_MS).unref()

process.on('message', (asked) => {
  if (asked !== 'longest turn') return
  process.send?.({ longestTurnMs: longestMs })
  longestMs = 0
})
process.channel?.unref()
