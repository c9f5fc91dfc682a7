// Creates a trunk from a preset.
import { Alert, Button, Group, Modal, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api, unwrap } from '../../api.ts'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { TrunkFields } from './trunk-fields.tsx'
import { emptyTrunk, newTrunkBody, type Preset, presets, problemsOf, type TrunkForm } from './trunk-form.ts'
import { trunkFormTexts } from './trunk-form-texts.ts'
import { trunksTexts } from './trunks-texts.ts'

export function NewTrunk({ onClose }: { onClose: () => void }) {
  const t = useTexts(trunksTexts)
  const f = useTexts(trunkFormTexts)
  const c = useTexts(commonTexts)
  const [, go] = useLocation()
  const { isPending, run } = useAction()
  const [preset, setPreset] = useState<Preset>('provider')
  const [form, setForm] = useState<TrunkForm>({ ...emptyTrunk, ...presets.provider })
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (part: Partial<TrunkForm>) => setForm((before) => ({ ...before, ...part }))
  const hint = preset === 'pbx' ? f.pbxHint : preset === 'carrier' ? f.carrierHint : null

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (problemsOf(form, false).length > 0) return focusFirstError()
    await run(
      async () => {
        const made = await unwrap(api.POST('/api/trunks', { body: newTrunkBody(form) as never }))
        go(`/trunks/${made.id}`)
      },
      { success: c.created, stale: ['/api/trunks'] },
    )
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t.make}
      size="xl"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': c.close }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <Radio.Group
            label={f.preset}
            value={preset}
            onChange={(chosen) => {
              setPreset(chosen as Preset)
              set(presets[chosen as Preset])
            }}
          >
            <SimpleGrid cols={{ base: 1, sm: 3 }} mt={6}>
              {(Object.keys(presets) as Preset[]).map((name) => (
                <Radio.Card key={name} value={name} p="sm" aria-label={f.presets[name].name}>
                  <Group wrap="nowrap" align="flex-start" gap="sm">
                    <Radio.Indicator />
                    <div>
                      <Text size="sm" fw={600}>
                        {f.presets[name].name}
                      </Text>
                      <Text size="xs" c="dimmed">
                        {f.presets[name].text}
                      </Text>
                    </div>
                  </Group>
                </Radio.Card>
              ))}
            </SimpleGrid>
          </Radio.Group>
          {hint && (
            <Alert variant="light" icon={<IconInfoCircle aria-hidden />}>
              {hint}
            </Alert>
          )}
          <TrunkFields
            form={form}
            set={set}
            problems={isSubmitted ? problemsOf(form, false) : []}
            hasPassword={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {f.creating}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
