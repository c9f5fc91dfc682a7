// The settings specific to a tool type.
import { Button, Collapse, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId } from 'react'
import { FormGrid } from '../../components/form-grid.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type ConfigField, configFields } from './config-fields.ts'
import { ConfigInput } from './config-input.tsx'
import { toolFormTexts } from './tool-form-texts.ts'
import type { ToolFormProps } from './tool-request.tsx'

const isWide = ({ kind }: ConfigField) => ['destinations', 'pairs', 'json', 'long', 'knowledge', 'days'].includes(kind)

export function ToolConfig({ type, draft, set }: ToolFormProps) {
  const t = useTexts(toolFormTexts)
  const id = useId()
  const [isOpen, { toggle }] = useDisclosure(false)
  const shown = configFields[type].filter(
    ({ when, isBeforeAddress }) => !isBeforeAddress && (when?.(draft.config) ?? true),
  )
  const grid = (fields: readonly ConfigField[]) => (
    <FormGrid>
      {fields.map((field) => (
        <div key={`${field.name}.${field.kind}`} style={isWide(field) ? { gridColumn: '1 / -1' } : undefined}>
          <ConfigInput field={field} config={draft.config} onChange={(config) => set({ config })} />
        </div>
      ))}
    </FormGrid>
  )
  const advanced = shown.filter(({ isAdvanced }) => isAdvanced)
  return (
    <Section title={t.config}>
      <Stack>
        {grid(shown.filter(({ isAdvanced }) => !isAdvanced))}
        {advanced.length > 0 && (
          <div>
            <Button
              variant="subtle"
              px={0}
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={toggle}
              rightSection={
                isOpen ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />
              }
            >
              {isOpen ? t.less : t.more}
            </Button>
            <Collapse expanded={isOpen} id={id}>
              {grid(advanced)}
            </Collapse>
          </div>
        )}
      </Stack>
    </Section>
  )
}
