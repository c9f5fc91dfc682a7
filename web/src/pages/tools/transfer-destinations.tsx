// Transfer destinations of an agent.
import {
  Accordion,
  ActionIcon,
  Button,
  Fieldset,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { AgentSelect } from '../../components/agent-select.tsx'
import { FieldGroup } from '../../components/field-group.tsx'
import { FormGrid } from '../../components/form-grid.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { configTexts } from './config-texts.ts'
import { transferTexts } from './transfer-texts.ts'

type Destination = Record<string, unknown>

export function TransferDestinations({
  destinations,
  onChange,
}: {
  destinations: readonly Destination[]
  onChange: (destinations: Destination[]) => void
}) {
  const t = useTexts(transferTexts)
  const { fields } = useTexts(configTexts)
  return (
    <FieldGroup label={fields.destinations.label}>
      <Stack gap="sm">
        {destinations.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.empty}
          </Text>
        )}
        {destinations.map((destination, i) => (
          <DestinationCard
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no id, and are only added at the end
            key={i}
            number={i + 1}
            destination={destination}
            onChange={(changed) => onChange(destinations.map((one, j) => (j === i ? changed : one)))}
            onRemove={() => onChange(destinations.filter((_, j) => j !== i))}
          />
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => onChange([...destinations, { type: 'number' }])}
          >
            {t.add}
          </Button>
        </div>
      </Stack>
    </FieldGroup>
  )
}

function DestinationCard({
  number,
  destination,
  onChange,
  onRemove,
}: {
  number: number
  destination: Destination
  onChange: (destination: Destination) => void
  onRemove: () => void
}) {
  const t = useTexts(transferTexts)
  const c = useTexts(commonTexts)
  /** Removes values that became empty. */
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = destination
    onChange(value === '' || value === null || value === undefined ? rest : { ...rest, [name]: value })
  }
  const textAt = (name: string) => (typeof destination[name] === 'string' ? destination[name] : '')
  const text = (name: string, label: string, description?: string) => (
    <TextInput
      label={label}
      description={description}
      value={textAt(name)}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  )
  const choice = (name: string, label: string, names: Readonly<Record<string, string>>, standard: string | null) => (
    <Select
      label={label}
      placeholder={t.auto}
      allowDeselect={standard === null}
      value={textAt(name) || standard}
      onChange={(value) => set(name, value)}
      data={Object.entries(names).map(([value, word]) => ({ value, label: word }))}
    />
  )
  const isAgent = destination.type === 'agent'
  return (
    <Fieldset legend={t.destination(number)} pt="xs">
      <Stack gap="sm">
        <Group align="flex-end" wrap="nowrap">
          <Select
            label={t.type}
            flex={1}
            allowDeselect={false}
            value={textAt('type') || 'number'}
            onChange={(type) => onChange({ type: type ?? 'number', ...withoutTarget(destination) })}
            data={Object.entries(t.types).map(([value, label]) => ({ value, label }))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`${c.remove}: ${t.destination(number)}`}
            onClick={onRemove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <FormGrid>
          {isAgent ? (
            <AgentSelect required value={textAt('agentId') || null} onChange={(id) => set('agentId', id)} />
          ) : destination.type === 'sip' ? (
            text('sipUri', t.sipUri, 'sip:100@pbx.example.com')
          ) : (
            text('number', t.number, t.numberHint)
          )}
          {text('description', t.description, t.descriptionHint)}
        </FormGrid>
        {!isAgent && choice('mode', t.mode, t.modes, 'cold')}
        <Textarea
          label={t.message}
          description={t.messageHint}
          autosize
          value={textAt('message')}
          onChange={(event) => set('message', event.currentTarget.value)}
        />
        {!isAgent && (
          <Accordion chevronPosition="left" variant="default">
            <Accordion.Item value="more" bd={0}>
              <Accordion.Control px={0} fz="sm">
                {t.more}
              </Accordion.Control>
              <Accordion.Panel>
                <FormGrid>
                  {destination.mode === 'warm' && choice('whisper', t.whisper, t.whispers, 'summary')}
                  {choice('method', t.method, t.methods, null)}
                  {choice('onFailure', t.onFailure, t.failures, 'return_to_agent')}
                  <NumberInput
                    label={t.ringTimeoutMs}
                    placeholder="30000"
                    hideControls
                    value={typeof destination.ringTimeoutMs === 'number' ? destination.ringTimeoutMs : ''}
                    onChange={(value) => set('ringTimeoutMs', typeof value === 'number' ? value : undefined)}
                  />
                  {text('callerId', t.callerId, t.callerIdHint)}
                  {text('extension', t.extension)}
                  {text('holdMusicUrl', t.holdMusicUrl)}
                </FormGrid>
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        )}
      </Stack>
    </Fieldset>
  )
}

const withoutTarget = ({ type, number, sipUri, agentId, ...rest }: Destination): Destination => rest
