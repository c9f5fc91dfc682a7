// A text field with {{variables}}: an editor with chips and completion, and below it warnings about variables that have
// no value.
import { isolateHistory } from '@codemirror/commands'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { Box, Group, Input, Text } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import { useLanguage, useTexts } from '../../../i18n/language-provider.tsx'
import { builtInVariables, TIME_ZONE } from '../prompt-variables.ts'
import { editorFieldTexts } from './editor-texts.ts'
import styles from './prompt-editor.module.css'
import { editorTexts, type KnownVariable, knownVariables, promptExtensions } from './prompt-extensions.ts'
import { estimateTokens } from './token-estimate.ts'
import { useVariableCompletion } from './variable-completion.tsx'
import { VariableWarnings } from './variable-warnings.tsx'

type Props = {
  label: string
  /** Set if the heading above already names the field. */
  isLabelHidden?: boolean
  description?: string | undefined
  error?: string | undefined
  placeholder?: string
  isRequired?: boolean
  value: string
  onChange: (text: string) => void
  /** The agent's own variables with their default values. */
  variables: Readonly<Record<string, string>>
  onAddVariable: (name: string) => void
  /** Language of the text, for spell checking. */
  language: string
  maxLength: number
  /** A tall field that shows its token count. */
  isLarge?: boolean
}

export function PromptEditor(props: Props) {
  const { label, isLabelHidden, description, error, value, variables, isLarge = false } = props
  const t = useTexts(editorFieldTexts)
  const { locale } = useLanguage()
  const known = useKnownVariables(variables)
  const completion = useVariableCompletion(known)
  const { host, focus } = useEditor(props, known, completion.extension)
  return (
    <Box>
      {!isLabelHidden && (
        <Input.Label component="div" required={props.isRequired ?? false} onClick={focus} aria-hidden>
          {label}
        </Input.Label>
      )}
      {description && <Input.Description mb={5}>{description}</Input.Description>}
      <div ref={host} className={`${styles.editor} ${isLarge ? styles.large : ''} ${error ? styles.wrong : ''}`}>
        {completion.popup}
      </div>
      {error && (
        <Input.Error mt={5} role="alert">
          {error}
        </Input.Error>
      )}
      <Group justify="space-between" align="flex-start" gap="xs" mt={6}>
        <VariableWarnings
          text={value}
          known={known.map(({ name }) => name)}
          onChange={props.onChange}
          onAddVariable={props.onAddVariable}
        />
        {isLarge && (
          <Text size="xs" c="dimmed" ml="auto" style={{ flexShrink: 0 }} title={t.tokensHint}>
            {t.tokens(estimateTokens(value).toLocaleString(locale))}
          </Text>
        )}
      </Group>
    </Box>
  )
}

/** The agent's own variables, then the built-in ones. */
function useKnownVariables(variables: Readonly<Record<string, string>>): readonly KnownVariable[] {
  const t = useTexts(editorFieldTexts)
  return useMemo(() => {
    const own = Object.keys(variables).filter((name) => name !== TIME_ZONE)
    const builtIn = builtInVariables.filter((name) => !own.includes(name))
    return [
      ...own.map((name) => ({ name, about: variables[name] || t.ownVariable })),
      ...builtIn.map((name) => ({ name, about: t.builtIn[name] })),
    ]
  }, [variables, t])
}

/** The smallest change between two texts: the cursor keeps its position, and a single undo reverts it. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from++
  let same = 0
  while (same < most - from && before[before.length - 1 - same] === after[after.length - 1 - same]) same++
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) }
}

/** The editor owns its document, and follows `value` when that changes from outside. */
function useEditor(props: Props, known: readonly KnownVariable[], completion: Extension) {
  const { label, value, language, maxLength, placeholder, error, description } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const parts = useRef({ known: new Compartment(), texts: new Compartment() })
  const latest = useRef(props)
  latest.current = props
  const texts = useMemo(() => {
    const about = [description, error].filter(Boolean).join(' ')
    const attributes = {
      'aria-label': label,
      ...(about ? { 'aria-description': about } : {}),
      ...(error ? { 'aria-invalid': 'true' } : {}),
      lang: language,
      spellcheck: 'true',
      autocapitalize: 'sentences',
    }
    return editorTexts({ placeholder, attributes })
  }, [label, description, error, language, placeholder])

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once; what changes later is reconfigured below
  useEffect(() => {
    if (!host.current) return
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: value,
        extensions: [
          completion,
          promptExtensions(maxLength),
          parts.current.known.of(knownVariables.of(known)),
          parts.current.texts.of(texts),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editor
    return () => editor.destroy()
  }, [])

  useEffect(
    () => view.current?.dispatch({ effects: parts.current.known.reconfigure(knownVariables.of(known)) }),
    [known],
  )
  useEffect(() => view.current?.dispatch({ effects: parts.current.texts.reconfigure(texts) }), [texts])
  useEffect(() => {
    const editor = view.current
    if (!editor || editor.state.doc.toString() === value) return
    editor.dispatch({
      changes: changeBetween(editor.state.doc.toString(), value),
      annotations: isolateHistory.of('full'),
    })
  }, [value])
  return { host, focus: () => view.current?.focus() }
}
