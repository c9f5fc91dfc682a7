// The variable list that opens after {{: arrow keys select, Enter or a click inserts, Escape closes.
import { type Extension, Prec } from '@codemirror/state'
import { type Command, EditorView, keymap } from '@codemirror/view'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/language-provider.tsx'
import { closingLength, matchingVariables, typedName } from './completion.ts'
import { editorFieldTexts } from './editor-texts.ts'
import styles from './prompt-editor.module.css'
import type { KnownVariable } from './prompt-extensions.ts'

type Open = {
  typed: string
  /** Start of the name: its offset in the text, and its position in the editor. */
  from: number
  place: { left: number; top: number }
  index: number
}

/** Below the line, clamped to the right edge. */
function placeOf(view: EditorView, at: number): Open['place'] | null {
  const cursor = view.coordsAtPos(at)
  const box = view.dom.getBoundingClientRect()
  if (!cursor) return null
  return { left: Math.max(0, Math.min(cursor.left - box.left, box.width - 240)), top: cursor.bottom - box.top + 4 }
}

function insert(view: EditorView, name: string, from: number): void {
  const to = view.state.selection.main.head
  const end = to + closingLength(view.state.sliceDoc(to, to + 5))
  view.dispatch({
    changes: { from, to: end, insert: `${name}}}` },
    selection: { anchor: from + name.length + 2 },
    userEvent: 'input.complete',
  })
}

export function useVariableCompletion(known: readonly KnownVariable[]): { extension: Extension; popup: ReactNode } {
  const t = useTexts(editorFieldTexts)
  const id = useId()
  const [open, setOpen] = useState<Open | null>(null)
  const view = useRef<EditorView>(null)
  const options = open ? matchingVariables(known, open.typed) : []
  const current = options[open?.index ?? 0]
  // The key bindings are created once, and read the current state through this ref.
  const shown = useRef({ open, options, current })
  shown.current = { open, options, current }

  const extension = useMemo(() => completionKeys({ id, view, setOpen, shown }), [id])
  // Updates aria-activedescendant, which tells assistive technology the active option.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another option is active
  useEffect(() => view.current?.dispatch({}), [current?.name])

  const popup = open && current && (
    <div className={styles.options} style={open.place} id={id} role="listbox" aria-label={t.variables}>
      {options.map(({ name, about }) => (
        <div
          key={name}
          id={`${id}-${name}`}
          role="option"
          tabIndex={-1}
          aria-selected={name === current.name}
          className={styles.option}
          // On mouse down, before the editor loses the focus.
          onMouseDown={(event) => {
            event.preventDefault()
            if (view.current) insert(view.current, name, open.from)
          }}
        >
          {name}
          <span className={styles.about}>{about}</span>
        </div>
      ))}
    </div>
  )
  return { extension, popup }
}

type Shown = { open: Open | null; options: readonly KnownVariable[]; current: KnownVariable | undefined }
type KeyParts = {
  id: string
  view: { current: EditorView | null }
  shown: { readonly current: Shown }
  setOpen: (next: (before: Open | null) => Open | null) => void
}

function completionKeys({ id, view, shown, setOpen }: KeyParts): Extension {
  const move =
    (by: number): Command =>
    () => {
      const count = shown.current.options.length
      if (!shown.current.open || count === 0) return false
      setOpen((before) => before && { ...before, index: (before.index + by + count) % count })
      return true
    }
  const accept: Command = (editor) => {
    const { open, current } = shown.current
    if (!open || !current) return false
    insert(editor, current.name, open.from)
    return true
  }
  const close: Command = () => {
    if (!shown.current.open) return false
    setOpen(() => null)
    return true
  }
  /** Opens on typing only, not when the cursor merely moves through a name. */
  const follow = EditorView.updateListener.of(({ view: editor, state, docChanged, selectionSet, transactions }) => {
    view.current = editor
    if (!docChanged && !selectionSet) return
    const { main } = state.selection
    const isTyped = transactions.some((one) => one.isUserEvent('input.type') || one.isUserEvent('delete'))
    const line = state.doc.lineAt(main.head)
    const typed = main.empty ? typedName(line.text.slice(0, main.head - line.from)) : null
    if (typed === null || !(isTyped || shown.current.open)) return setOpen(() => null)
    const from = main.head - typed.length
    editor.requestMeasure({
      read: () => placeOf(editor, from),
      write: (place) =>
        setOpen((before) => place && { typed, from, place, index: before?.typed === typed ? before.index : 0 }),
    })
  })
  return [
    follow,
    EditorView.domEventHandlers({ blur: () => setOpen(() => null) }),
    EditorView.contentAttributes.of((): Record<string, string> => {
      const { open, current } = shown.current
      if (!open || !current) return { 'aria-autocomplete': 'list' }
      return { 'aria-autocomplete': 'list', 'aria-controls': id, 'aria-activedescendant': `${id}-${current.name}` }
    }),
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: move(1) },
        { key: 'ArrowUp', run: move(-1) },
        { key: 'Enter', run: accept },
        { key: 'Escape', run: close },
      ]),
    ),
  ]
}
