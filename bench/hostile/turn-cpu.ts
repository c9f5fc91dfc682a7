// Loaded into the platform before its own code: the most CPU time that one turn of its event loop took since it was last asked, by IPC.
const EVERY_MS = 2

let longestMs = 0
let lastUs = total(process.threadCpuUsage())

function total({ user, system }: NodeJS.CpuUsage): number {
  return user + system
}

/** A timer fires once in a turn: between two of its calls there is at most one long turn. */
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
