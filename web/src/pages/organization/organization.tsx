// The organization page: its name, members with their roles, and invitations. Everybody may look; owners and
// administrators change.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconUserPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import type { Member, MemberInvitation } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { Page } from '../../components/page.tsx'
import { usePublicAddress } from '../../components/public-address.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Section } from '../../components/section.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type Organization as Current, useMay, useOrganization } from '../../organization.ts'
import { fetchSession, useIsAdmin } from '../../session.tsx'
import { notPermittedTexts } from '../../shell/not-permitted-texts.ts'
import { usersTexts } from '../users/users-texts.ts'
import { InvitationTable } from './invitations.tsx'
import { InviteMember } from './invite-member.tsx'
import { MemberTable } from './members.tsx'
import { organizationTexts } from './organization-texts.ts'
import { RoleList } from './roles.tsx'

export function Organization() {
  const organization = useOrganization()
  return organization ? <OrganizationPage organization={organization} /> : <WithoutOrganization />
}

function WithoutOrganization() {
  const t = useTexts(notPermittedTexts)
  return (
    <Page title={t.noOrganization} actions={<NewOrganization />}>
      <Text>{t.noOrganizationText}</Text>
    </Page>
  )
}

function OrganizationPage({ organization }: { organization: Current }) {
  const t = { ...useTexts(usersTexts), ...useTexts(organizationTexts) }
  const { id } = organization
  const members = usePages<Member>(`/api/organizations/${id}/members`)
  const invitations = usePages<MemberInvitation>(`/api/organizations/${id}/invitations`)
  const mayChange = useMay('members:write')
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<string | null>(null)
  const { address, isOffered, card } = usePublicAddress()
  const show = (path: string) => setLink(address + path)
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <>
          <NewOrganization />
          {mayChange && (
            <Button
              leftSection={<IconUserPlus size={16} aria-hidden />}
              disabled={!isOffered}
              onClick={() => setInviting(true)}
            >
              {t.invite}
            </Button>
          )}
        </>
      }
    >
      {mayChange && card}
      <NameForm key={organization.name} organization={organization} />
      <Section title={t.members} isPlain actions={<Leave organization={organization} />}>
        <QueryResult query={members}>{(rows) => <MemberTable organization={organization} rows={rows} />}</QueryResult>
        <LoadMore pages={members} />
      </Section>
      {invitations.data && invitations.data.length > 0 && (
        <Section title={t.invitations} isPlain>
          <InvitationTable organization={organization} rows={invitations.data} mayLink={isOffered} onLink={show} />
          <LoadMore pages={invitations} />
        </Section>
      )}
      <RoleList />
      {isInviting && (
        <InviteMember
          organization={organization}
          onClose={() => setInviting(false)}
          onCreated={(path) => {
            setInviting(false)
            show(path)
          }}
        />
      )}
      <SecretOnce
        title={t.linkTitle}
        secret={link}
        warning={t.linkWarning}
        doneLabel={t.linkDone}
        onClose={() => setLink(null)}
      />
    </Page>
  )
}

function NameForm({ organization }: { organization: Current }) {
  const t = useTexts(organizationTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [name, setName] = useState(organization.name)
  const mayChange = useMay('organization:write')
  const given = name.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(
      async () => {
        const params = { path: { id: organization.id } }
        await unwrap(api.PATCH('/api/organizations/{id}', { params, body: { name: given } }))
        await fetchSession()
      },
      { success: c.saved },
    )
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t.name}
          maxLength={255}
          required={mayChange}
          readOnly={!mayChange}
          {...(mayChange ? {} : { variant: 'filled' })}
          flex="1 1 220px"
          maw={420}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {mayChange && (
          <Button type="submit" loading={isPending} disabled={given === '' || given === organization.name}>
            {c.save}
          </Button>
        )}
      </Group>
    </form>
  )
}

function Leave({ organization: { id, name } }: { organization: Current }) {
  const t = useTexts(organizationTexts)
  const { run } = useAction()
  const leave = () =>
    run(async () => {
      await unwrap(api.POST('/api/organizations/{id}/leave', { params: { path: { id } } }))
      await fetchSession()
    })
  return (
    <ConfirmButton
      variant="subtle"
      size="xs"
      question={t.leaveQuestion(name)}
      warning={t.leaveWarning}
      confirm={t.leave}
      onConfirm={leave}
    >
      {t.leave}
    </ConfirmButton>
  )
}

/** For administrators of the platform. */
function NewOrganization() {
  const t = useTexts(organizationTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const [, go] = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const { id } = await unwrap(api.POST('/api/organizations', { body: { name: name.trim() } }))
      await fetchSession()
      go(`/organization?organization=${id}`)
    })
  }
  if (!useIsAdmin()) return null
  return (
    <>
      <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t.make}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title={t.make} closeButtonProps={{ 'aria-label': c.close }}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{t.makeText}</Text>
            <TextInput
              label={t.name}
              required
              data-autofocus
              maxLength={255}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpen(false)}>
                {c.cancel}
              </Button>
              <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
                {c.create}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  )
}
