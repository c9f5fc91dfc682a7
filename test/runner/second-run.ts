// The second run: a file that failed beside other tests runs once more, alone. Passing then does not excuse it: it is reported as unstable.
import { type RunResult, runFiles, toStdout, WORKER } from './run-files.ts'

export type FailedFile = { file: string; env: Record<string, string> }
type SecondRun = { alone?: RegExp; print?: (text: string) => void }

/** More failures than this are no accident. */
const MAX_FILES = 3
const limits = { fileMs: 480_000, exitMs: 45_000 }

export async function runAgain(
  failed: readonly FailedFile[],
  { alone, print = toStdout }: SecondRun,
): Promise<Pick<RunResult, 'hasPassed' | 'passedTitles'>> {
  if (failed.length > MAX_FILES || failed.some(({ file }) => file === WORKER))
    return { hasPassed: false, passedTitles: [] }
  const passedTitles: string[] = []
  let hasPassed = true
  for (const { file, env } of failed) {
    const result = await runFiles({
      title: `${file} again, alone`,
      files: [file],
      env,
      atOnce: 1,
      alone,
      print,
      limits,
    })
    passedTitles.push(...result.passedTitles)
    hasPassed &&= result.hasPassed
    if (result.hasPassed)
      print(
        `\nunstable: ${file} failed beside other tests and passed alone. The test or the product has a race: mend it.\n`,
      )
  }
  return { hasPassed, passedTitles }
}
