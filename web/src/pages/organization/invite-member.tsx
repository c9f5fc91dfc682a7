// The form of an invitation to an organization.
import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { MemberRole } from '../../../../src/base/domain/organization-roles.ts'
import { api, unwrap } from '../../api.ts'
import { focusFirstError } from '../../components/focus-first-error.ts'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import type { Organization } from '../../organization.ts'
import { rolesGivenBy } from './members.tsx'
import { organizationTexts } from './organization-texts.ts'

export function InviteMember({
  organization,
  onClose,
  onCreated,
}: {
  organization: Organization
  onClose: () => void
  onCreated: (path: string) => void
}) {
  const t = useTexts(organizationTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [form, setForm] = useState<{ email: string; name: string; role: MemberRole }>({
    email: '',
    name: '',
    role: 'viewer',
  })
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (part: Partial<typeof form>) => setForm((before) => ({ ...before, ...part }))
  const isMissing = !form.email.includes('@')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setSubmitted(true)
    if (isMissing) return focusFirstError()
    const params = { path: { id: organization.id } }
    const body = { ...form, name: form.name.trim() || null }
    await run(
      async () => onCreated((await unwrap(api.POST('/api/organizations/{id}/invitations', { params, body }))).path),
      { stale: [`/api/organizations/${organization.id}/invitations`] },
    )
  }

  return (
    <Modal opened onClose={onClose} title={t.invite} closeButtonProps={{ 'aria-label': c.close }}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack>
          <TextInput
            label={t.email}
            description={t.emailHint}
            type="email"
            required
            data-autofocus
            maxLength={254}
            value={form.email}
            onChange={(event) => set({ email: event.currentTarget.value })}
            error={isSubmitted && isMissing ? t.emailMissing : undefined}
          />
          <TextInput
            label={t.member}
            description={t.nameHint}
            maxLength={255}
            value={form.name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Radio.Group label={t.role} value={form.role} onChange={(role) => set({ role: role as MemberRole })}>
            <Stack gap="xs" mt={6}>
              {rolesGivenBy(organization.role).map((role) => (
                <Radio key={role} value={role} label={t.roles[role]} description={t.rolesHint[role]} />
              ))}
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {c.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {t.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
