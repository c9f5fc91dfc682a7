// The answer hook of a number or an agent in one dialog: target, timeout and a test.
import { Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { AnswerHook, TestedHook } from '../../../../client/paths.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { focusFirstError } from '../focus-first-error.ts'
import { Loading } from '../query-states.tsx'
import { SecretOnce } from '../secret-once.tsx'
import { useAction } from '../use-action.tsx'
import { bodyOf, emptyHook, formOfHook, type HookForm, problemsOf } from './answer-hook-form.ts'
import { answerHookTexts } from './answer-hook-texts.ts'
import { HookFields } from './hook-fields.tsx'
import { type HookOwner, hookRequests, useStoredHook } from './hook-requests.ts'
import { HookTest } from './hook-test.tsx'

export function AnswerHookDialog({ owner, onClose }: { owner: HookOwner; onClose: () => void }) {
  const t = useTexts(answerHookTexts)
  const c = useTexts(commonTexts)
  const stored = useStoredHook(owner)
  return (
    <Modal opened onClose={onClose} title={t.title} closeButtonProps={{ 'aria-label': c.close }}>
      <Stack>
        <Text size="sm" c="dimmed">
          {owner.kind === 'did' ? t.aboutNumber : t.aboutAgent}
        </Text>
        {stored === undefined ? <Loading /> : <Editor owner={owner} stored={stored} onClose={onClose} />}
      </Stack>
    </Modal>
  )
}

function Editor({ owner, stored, onClose }: { owner: HookOwner; stored: AnswerHook | null; onClose: () => void }) {
  const t = useTexts(answerHookTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [form, setForm] = useState<HookForm>(stored ? formOfHook(stored) : emptyHook)
  const [saved, setSaved] = useState<HookForm | null>(stored ? form : null)
  const [isSubmitted, setSubmitted] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [tested, setTested] = useState<TestedHook | null>(null)
  const problems = problemsOf(form)
  const requests = hookRequests(owner)
  const isSaved = saved !== null && JSON.stringify(saved) === JSON.stringify(form)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (problems.size > 0) return focusFirstError()
    await run(
      async () => {
        const hook = await requests.put(bodyOf(form))
        setSaved(form)
        setTested(null)
        setSecret(hook.secret)
      },
      { success: c.saved },
    )
  }

  const rotate = () => run(async () => setSecret((await requests.rotate()).secret), { success: t.rotated })

  const remove = async () => {
    if (await run(requests.remove, { success: t.removed })) onClose()
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <SegmentedControl
          aria-label={t.kind}
          value={form.kind}
          onChange={(kind) => setForm({ ...form, kind: kind as HookForm['kind'] })}
          data={(['url', 'spreadsheet'] as const).map((value) => ({ value, label: t.kinds[value] }))}
        />
        <HookFields
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          problems={isSubmitted ? problems : new Set()}
        />
        <Group justify="space-between">
          {saved ? (
            <Group gap="xs">
              <Button variant="subtle" color="red" onClick={() => void remove()} disabled={isPending}>
                {t.remove}
              </Button>
              {saved.kind === 'url' && (
                <Button variant="subtle" onClick={() => void rotate()} disabled={isPending}>
                  {t.rotate}
                </Button>
              )}
            </Group>
          ) : (
            <span />
          )}
          <Button type="submit" loading={isPending}>
            {t.save}
          </Button>
        </Group>
        <HookTest isSaved={isSaved} tested={tested} ask={async (caller) => setTested(await requests.test(caller))} />
      </Stack>
      <SecretOnce
        title={t.secretTitle}
        secret={secret}
        warning={t.secretWarning}
        doneLabel={t.done}
        onClose={() => setSecret(null)}
      />
    </form>
  )
}
