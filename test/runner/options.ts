// The command line of test/run.ts: a mode, flags, and files to run instead of the whole mode.
const modes = [
  'check',
  'gate',
  'rest',
  'full',
  'units',
  'nodes',
  'watch',
  'nightly',
  'crash',
  'fuzz',
  'campaigns',
  'voices',
] as const
export type Mode = (typeof modes)[number]
export type Options = {
  mode: Mode
  files: string[]
  /** An unstable file fails the run. */
  isStrict: boolean
  /** Writes the measured durations to `test/durations.json`. */
  keepsDurations: boolean
}

export function readOptions(args: readonly string[]): Options {
  const flags = args.filter((arg) => arg.startsWith('--'))
  const [mode = 'gate', ...files] = args.filter((arg) => !arg.startsWith('--'))
  const unknown = flags.find((flag) => !['--strict', '--keep-durations'].includes(flag))
  if (unknown) throw new Error(`unknown flag ${unknown}: there are --strict and --keep-durations`)
  if (!modes.includes(mode as Mode)) throw new Error(`unknown mode "${mode}": there are ${modes.join(', ')}`)
  return {
    mode: mode as Mode,
    files,
    isStrict: flags.includes('--strict'),
    keepsDurations: flags.includes('--keep-durations'),
  }
}
