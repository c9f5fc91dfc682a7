// Saves a record only if it still is the version the form started from; otherwise shows the differences, field by
// field, before anything is written.
import { type ReactNode, useCallback, useState } from 'react'
import { lazyComponent } from '../lazy-component.ts'
import { ifMatch, versionOf } from '../record-version.ts'
import { ApiError } from '../session.tsx'
import type { Choices, ConflictDialogProps, FieldWords } from './conflict-dialog.tsx'
import { type Difference, differences, mergedPatch, type Value } from './three-way.ts'
import { Canceled } from './use-action.tsx'

export type GuardedChange<R extends object> = {
  /**
   * The record the form started from. A record from a list has no version: the current one is then loaded and compared
   * first.
   */
  base: R
  /** The changed fields. */
  patch: object
  load: () => Promise<R>
  /** `headers` must be sent with the change. */
  send: (patch: never, headers: Record<string, string>) => Promise<R>
}

type Question = { found: readonly Difference[]; answer: (choices: Choices | null) => void }

const STALE = 412

/** Rarely needed. Loaded before it opens, so that a failed load does not lose what the user typed. */
const ConflictDialog = lazyComponent<'ConflictDialog', ConflictDialogProps>(
  () => import('./conflict-dialog.tsx'),
  'ConflictDialog',
)

/** `save` throws Canceled if the user chooses to keep editing; render `dialog` on the page. */
export function useGuardedSave(words: FieldWords): {
  save<R extends object>(change: GuardedChange<R>): Promise<R>
  dialog: ReactNode
} {
  const [question, setQuestion] = useState<Question | null>(null)
  const fields = Object.keys(words.fields)
  const ask = useCallback(
    (found: readonly Difference[]) =>
      new Promise<Choices | null>((resolve) =>
        setQuestion({
          found,
          answer: (choices) => {
            setQuestion(null)
            resolve(choices)
          },
        }),
      ),
    [],
  )

  async function save<R extends object>({ base, patch, load, send }: GuardedChange<R>): Promise<R> {
    let current = versionOf(base) === undefined ? await load() : base
    let mine = patch
    let asked = base
    for (;;) {
      const found = differences(asked as Value, mine as Value, current as Value, fields.map(topOf))
      const isOther = found.some(({ changedBy }) => changedBy !== 'me')
      if (isOther) {
        await ConflictDialog.load()
        const choices = await ask(found)
        if (choices === null) throw new Canceled()
        mine = mergedPatch(current as Value, found, choices)
        asked = current
        if (Object.keys(mine).length === 0) return current
      }
      try {
        return await send(mine as never, ifMatch(current))
      } catch (error) {
        if (!(error instanceof ApiError) || error.statusCode !== STALE) throw error
        current = await load()
      }
    }
  }

  const dialog = question && (
    <ConflictDialog
      found={question.found}
      words={words}
      onSave={(choices) => question.answer(choices)}
      onCancel={() => question.answer(null)}
    />
  )
  return { save, dialog }
}

const topOf = (field: string) => field.split('.', 1)[0] ?? field
