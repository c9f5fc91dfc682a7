// The second run: files that failed alongside other tests run once more, alone. A file that then passes is not excused:
// it is reported as unstable.
import type { FileTask } from './plan.ts'
import { nameOf, runTasks, type Task, type ToRun, toStdout } from './run-tasks.ts'
import type { Summary } from './summary.ts'

/** More failures than this are not flakiness, so nothing is retried. */
const MAX_FILES = 3
const limits = { fileMs: 480_000, exitMs: 45_000 }

export type SecondRun = { hasPassed: boolean; unstable: string[]; passedTitles: Summary['passedTitles'] }

/** `failed` holds task names; a task that is not a file, such as a failed linter, is not retried. */
export async function runAgain(failed: ReadonlySet<string>, options: ToRun): Promise<SecondRun> {
  const { tasks, print = toStdout } = options
  const isFailedFile = (task: Task): task is FileTask => 'file' in task && failed.has(nameOf(task))
  const again = tasks.filter(isFailedFile)
  if (failed.size > MAX_FILES || again.length < failed.size)
    return { hasPassed: failed.size === 0, unstable: [], passedTitles: new Map() }
  if (again.length === 0) return { hasPassed: true, unstable: [], passedTitles: new Map() }
  print(`\nonce more, one at a time: ${again.map(nameOf).join(', ')}\n`)
  const alone = again.map((task) => ({ ...task, hasOwnProcess: true, isExclusive: true, after: undefined }))
  const second = await runTasks({ ...options, tasks: alone, limits })
  const unstable = again.map(nameOf).filter((name) => !second.failed.has(name))
  return { hasPassed: second.failed.size === 0, unstable, passedTitles: second.passedTitles }
}
