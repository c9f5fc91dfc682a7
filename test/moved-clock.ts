// Preloaded into a process whose clock a test shifts: by CLOCK_AHEAD_MS at the start, and by CLOCK_STEP_MS more at each
// SIGUSR2.
const realNow = Date.now
let offsetMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
process.on('SIGUSR2', () => {
  offsetMs += Number(process.env.CLOCK_STEP_MS ?? 0)
})
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string]) {
    super(...((given.length === 0 ? [realNow() + offsetMs] : given) as [number]))
  }
  static override now(): number {
    return realNow() + offsetMs
  }
} as DateConstructor
