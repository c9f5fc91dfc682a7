// The second run: a file that failed beside other tests runs once more, alone. Passing then does not excuse it: it is reported as unstable.
import type { FileTask } from './plan.ts'
import { nameOf, runTasks, type Task, type ToRun, toStdout } from './run-tasks.ts'
import type { Summary } from './summary.ts'

/** More failures than this are no accident. */
const MAX_FILES = 3
const limits = { fileMs: 480_000, exitMs: 45_000 }

export type SecondRun = { hasPassed: boolean; unstable: string[]; passedTitles: Summary['passedTitles'] }

/** `failed` holds names of tasks; one that names no file, such as a linter that failed, is not run again. */
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
