// Saves a record only in the version that the form started from; a newer one is shown, field by field, before anything is written.
import { type ReactNode, useCallback, useState } from 'react'
import { lazyComponent } from '../lazy-component.ts'
import { ifMatch, versionOf } from '../record-version.ts'
import { ApiError } from '../session.tsx'
import type { Choices, ConflictDialogProps, FieldWords } from './conflict-dialog.tsx'
import { type Difference, differences, mergedPatch, type Value } from './three-way.ts'
import { Canceled } from './use-action.tsx'

export type GuardedChange<R extends object> = {
  /** The record that the form started from. One from a list has no version: the current record is then loaded and compared first. */
  base: R
  /** The fields that were changed. */
  patch: object
  load: () => Promise<R>
  /** `headers`: to be sent with the change. */
  send: (patch: never, headers: Record<string, string>) => Promise<R>
}

type Question = { found: readonly Difference[]; answer: (choices: Choices | null) => void }

const STALE = 412

/** Rarely needed. Loaded before it is shown: what was typed stays when that fails. */
const ConflictDialog = lazyComponent<'ConflictDialog', ConflictDialogProps>(
  () => import('./conflict-dialog.tsx'),
  'ConflictDialog',
)

/** `save` throws Canceled when the user goes on editing; `dialog` belongs into the page. */
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
