// Placeholders in a text that would not be filled: variables without a value, names with spaces, single braces. Each
// with a fix.
import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/language-provider.tsx'
import { applySuggestion, type VariableIssue, variableIssues } from '../prompt-variables.ts'
import { editorFieldTexts } from './editor-texts.ts'

const SHOWN = 5

export function VariableWarnings({
  text,
  known,
  onChange,
  onAddVariable,
}: {
  text: string
  known: readonly string[]
  onChange: (text: string) => void
  onAddVariable: (name: string) => void
}) {
  const t = useTexts(editorFieldTexts)
  const issues = variableIssues(text, known)
  return (
    <Stack gap={4} role="status" flex="1 1 260px" style={{ minWidth: 0 }}>
      {issues.slice(0, SHOWN).map((issue) => (
        <Warning
          key={`${issue.kind} ${issue.name}`}
          issue={issue}
          onFix={() => onChange(applySuggestion(text, issue))}
          onAdd={() => onAddVariable(issue.name)}
        />
      ))}
      {issues.length > SHOWN && (
        <Text size="xs" c="dimmed">
          {t.more(issues.length - SHOWN)}
        </Text>
      )}
    </Stack>
  )
}

function Warning({ issue, onFix, onAdd }: { issue: VariableIssue; onFix: () => void; onAdd: () => void }) {
  const t = useTexts(editorFieldTexts)
  const { kind, name, suggestion } = issue
  const written = kind === 'oneBrace' ? `{${name}}` : `{{${name}}}`
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <IconAlertTriangle
        size={15}
        aria-hidden
        style={{ color: 'light-dark(#b45309, #f0a94a)', flexShrink: 0, marginTop: 3 }}
      />
      <Text size="xs" component="div" lh={1.8}>
        <Code>{written}</Code> {t.issue[kind]}{' '}
        {suggestion !== null && (
          <Button size="compact-xs" variant="light" onClick={onFix} mr={4}>
            {t.use(`{{${suggestion}}}`)}
          </Button>
        )}
        {kind === 'unknown' && (
          <Button size="compact-xs" variant="default" onClick={onAdd} aria-label={`${t.define}: ${name}`}>
            {t.define}
          </Button>
        )}
      </Text>
    </Group>
  )
}
