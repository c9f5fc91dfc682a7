// A new trunk: what it is first, then what that needs.
import { Alert, Button, Group, Modal, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { api, done } from '../../api.ts'
import { common } from '../../i18n/common.ts'
import { useWords } from '../../i18n/words.tsx'
import { useAction } from '../../parts/doing.tsx'
import { focusWrong } from '../../parts/focus-wrong.ts'
import { TrunkFields } from './trunk-fields.tsx'
import { emptyTrunk, newTrunkBody, type Preset, presets, problemsOf, type TrunkForm } from './trunk-form.ts'
import { trunkFormWords } from './trunk-form-words.ts'
import { trunksWords } from './trunks-words.ts'

export function NewTrunk({ onClose }: { onClose: () => void }) {
  const t = useWords(trunksWords)
  const f = useWords(trunkFormWords)
  const c = useWords(common)
  const [, go] = useLocation()
  const { isDoing, run } = useAction()
  const [preset, setPreset] = useState<Preset>('provider')
  const [form, setForm] = useState<TrunkForm>({ ...emptyTrunk, ...presets.provider })
  const [isTried, setTried] = useState(false)
  const set = (part: Partial<TrunkForm>) => setForm((before) => ({ ...before, ...part }))
  const hint = preset === 'pbx' ? f.pbxHint : preset === 'carrier' ? f.carrierHint : null

  async function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (problemsOf(form, false).length > 0) return focusWrong()
    await run(
      async () => {
        const made = await done(api.POST('/api/trunks', { body: newTrunkBody(form) as never }))
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
          <TrunkFields form={form} set={set} problems={isTried ? problemsOf(form, false) : []} hasPassword={false} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isDoing}>
              {f.creating}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
