// CodeMirror extensions for prompts: Markdown headings, {{variables}} as chips, undo, and a length limit.
import { history, historyKeymap } from '@codemirror/commands'
import { EditorState, type Extension, Facet, RangeSetBuilder } from '@codemirror/state'
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { cspNonce } from '../../../csp-nonce.ts'
import { type BraceSpan, braceSpans } from '../prompt-variables.ts'

export type KnownVariable = { name: string; about: string }

/** The variables that have a value. */
export const knownVariables = Facet.define<readonly KnownVariable[], readonly KnownVariable[]>({
  combine: (values) => values[0] ?? [],
})

const marks = {
  known: Decoration.mark({ class: 'cm-variable' }),
  unknown: Decoration.mark({ class: 'cm-variable cm-variable-unknown' }),
  wrong: Decoration.mark({ class: 'cm-variable-wrong' }),
  hashes: Decoration.mark({ class: 'cm-hashes' }),
}
const headings = [1, 2, 3].map((level) => Decoration.line({ class: `cm-heading cm-heading-${level}` }))

function markOf({ kind, name }: BraceSpan, known: readonly KnownVariable[]): Decoration {
  if (kind !== 'variable') return marks.wrong
  return known.some((one) => one.name === name) ? marks.known : marks.unknown
}

function decorate(view: EditorView): DecorationSet {
  const known = view.state.facet(knownVariables)
  const set = new RangeSetBuilder<Decoration>()
  let last = -1
  for (const { from, to } of view.visibleRanges)
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at)
      at = line.to + 1
      if (line.from <= last) continue
      last = line.from
      const hashes = /^#{1,6}(?=\s)/.exec(line.text)?.[0]
      const heading = hashes && headings[Math.min(hashes.length, headings.length) - 1]
      if (hashes && heading) {
        set.add(line.from, line.from, heading)
        set.add(line.from, line.from + hashes.length, marks.hashes)
      }
      for (const span of braceSpans(line.text)) set.add(line.from + span.from, line.from + span.to, markOf(span, known))
    }
  return set.finish()
}

const decorations = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = decorate(view)
    }
    update(update: ViewUpdate): void {
      const isOther = update.startState.facet(knownVariables) !== update.state.facet(knownVariables)
      if (update.docChanged || update.viewportChanged || isOther) this.decorations = decorate(update.view)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)

export type EditorTexts = { placeholder?: string | undefined; attributes: Record<string, string> }

const moveTo =
  (place: 'start' | 'end', isSelecting: boolean): Command =>
  (view) => {
    const head = place === 'start' ? 0 : view.state.doc.length
    const { anchor } = view.state.selection.main
    view.dispatch({ selection: { anchor: isSelecting ? anchor : head, head }, scrollIntoView: true })
    return true
  }
const selectAll: Command = (view) => {
  view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } })
  return true
}
const newLine: Command = (view) => {
  view.dispatch({ ...view.state.replaceSelection('\n'), scrollIntoView: true, userEvent: 'input' })
  return true
}

/** The browser handles cursor movement and deletion natively, but in a long text it only knows the rendered part. */
const longTextKeys = [
  { key: 'Mod-a', run: selectAll },
  { key: 'Mod-Home', run: moveTo('start', false), shift: moveTo('start', true) },
  { key: 'Mod-End', run: moveTo('end', false), shift: moveTo('end', true) },
  { key: 'Enter', run: newLine },
]

/** Tab keeps the browser's behavior: it moves to the next field. */
export const promptExtensions = (maxLength: number): Extension => [
  EditorView.cspNonce.of(cspNonce()),
  EditorView.lineWrapping,
  // Keeps the cursor clear of the page's sticky bar, and the next line in view.
  EditorView.scrollMargins.of(() => ({ top: 140, bottom: 96 })),
  EditorState.changeFilter.of(({ newDoc }) => newDoc.length <= maxLength),
  history(),
  decorations,
  keymap.of([...historyKeymap, ...longTextKeys]),
]

export const editorTexts = ({ placeholder: example, attributes }: EditorTexts): Extension => [
  EditorView.contentAttributes.of(attributes),
  example ? placeholder(example) : [],
]
