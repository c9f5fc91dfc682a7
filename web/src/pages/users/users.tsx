// The users page for administrators: users, open invitations, and one-time links, which are shown only once.
import { ActionIcon, Button, Group, Menu, Text } from '@mantine/core'
import { IconDots, IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { Invitation, User } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { RelativeTime } from '../../components/date-time.tsx'
import { Page } from '../../components/page.tsx'
import { usePublicAddress } from '../../components/public-address.tsx'
import { QueryResult } from '../../components/query-states.tsx'
import { type Column, RecordTable } from '../../components/record-table.tsx'
import { SecretOnce } from '../../components/secret-once.tsx'
import { Section } from '../../components/section.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { ConfirmButton, useAction } from '../../components/use-action.tsx'
import { LoadMore, usePages } from '../../components/use-pages.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { useIsAdmin, useSession } from '../../session.tsx'
import { ConfirmAction } from './confirm-action.tsx'
import { InviteUser } from './invite-user.tsx'
import { actionsOn, isDangerous, type UserAction } from './user-actions.ts'
import { usersTexts } from './users-texts.ts'

/** A one-time link as a full URL, with this page's origin. */
type ShownLink = { title: string; url: string }

export function Users() {
  const t = useTexts(usersTexts)
  if (!useIsAdmin())
    return (
      <Page title={t.title}>
        <Text>{t.adminOnly}</Text>
      </Page>
    )
  return <UsersPage />
}

function UsersPage() {
  const t = useTexts(usersTexts)
  const users = usePages<User>('/api/users')
  const invitations = usePages<Invitation>('/api/invitations')
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<ShownLink | null>(null)
  const { address, isOffered, card } = usePublicAddress()
  const show = (title: string) => (path: string) => setLink({ title, url: address + path })
  return (
    <Page
      title={t.title}
      about={t.about}
      actions={
        <Button
          leftSection={<IconUserPlus size={16} aria-hidden />}
          disabled={!isOffered}
          onClick={() => setInviting(true)}
        >
          {t.invite}
        </Button>
      }
    >
      {card}
      <QueryResult query={users}>
        {(rows) => <UserTable rows={rows} mayLink={isOffered} onLink={show(t.passwordLinkTitle)} />}
      </QueryResult>
      <LoadMore pages={users} />
      {invitations.data && invitations.data.length > 0 && (
        <Section title={t.invitations}>
          <InvitationTable rows={invitations.data} mayLink={isOffered} onLink={show(t.linkTitle)} />
          <LoadMore pages={invitations} />
        </Section>
      )}
      {isInviting && (
        <InviteUser
          onClose={() => setInviting(false)}
          onCreated={(path) => {
            setInviting(false)
            show(t.linkTitle)(path)
          }}
        />
      )}
      <SecretOnce
        title={link?.title ?? t.linkTitle}
        secret={link?.url ?? null}
        warning={t.linkWarning}
        doneLabel={t.linkDone}
        onClose={() => setLink(null)}
      />
    </Page>
  )
}

/** `mayLink`: links for other people can be created. */
type Links = { mayLink: boolean; onLink: (path: string) => void }

function UserTable({ rows, mayLink, onLink }: { rows: User[] } & Links) {
  const t = useTexts(usersTexts)
  const c = useTexts(commonTexts)
  const own = useSession().data?.user?.id
  const [asked, setAsked] = useState<{ user: User; action: UserAction } | null>(null)
  const stateOf = ({ isActive, hasPassword }: User) => (!isActive ? 'disabled' : hasPassword ? 'active' : 'keyOnly')
  const columns: Column<User>[] = [
    {
      name: t.name,
      cell: (user) => (
        <>
          <Text fw={600} size="sm">
            {user.name}
            {user.id === own && (
              <Text span c="dimmed" fw={400} size="sm">
                {' '}
                ({t.you})
              </Text>
            )}
          </Text>
          {user.email && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {user.email}
            </Text>
          )}
        </>
      ),
    },
    { name: t.role, cell: ({ role }) => t.roles[role] },
    {
      name: c.status,
      cell: (user) => {
        const state = stateOf(user)
        return (
          <StatusBadge
            tone={state === 'active' ? 'good' : state === 'disabled' ? 'bad' : 'off'}
            word={t.state[state]}
          />
        )
      },
    },
    { name: t.secondFactor, cell: ({ hasSecondFactor }) => (hasSecondFactor ? t.isOn : t.isOff) },
    { name: t.lastSignIn, cell: ({ lastSignInAt }) => <RelativeTime at={lastSignInAt} fallback={c.never} /> },
    {
      name: c.actions,
      isEnd: true,
      cell: (user) => (
        <UserMenu user={user} ownId={own} mayLink={mayLink} onChoose={(action) => setAsked({ user, action })} />
      ),
    },
  ]
  return (
    <>
      <RecordTable label={t.title} rows={rows} columns={columns} keyOf={({ id }) => id} />
      {asked && <ConfirmAction {...asked} onClose={() => setAsked(null)} onLink={onLink} />}
    </>
  )
}

type MenuProps = { user: User; ownId: string | undefined; mayLink: boolean; onChoose: (action: UserAction) => void }

function UserMenu({ user, ownId, mayLink, onChoose }: MenuProps) {
  const t = useTexts(usersTexts)
  const actions = actionsOn(user, ownId).filter((action) => mayLink || action !== 'passwordLink')
  if (actions.length === 0) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={t.menu(user.name)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} color={isDangerous(action) ? 'red' : undefined} onClick={() => onChoose(action)}>
            {t[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function InvitationTable({ rows, mayLink, onLink }: { rows: Invitation[] } & Links) {
  const t = useTexts(usersTexts)
  const c = useTexts(commonTexts)
  const { isPending, run } = useAction()
  const stale = ['/api/invitations']
  const renew = ({ id }: Invitation) =>
    run(
      async () => onLink((await unwrap(api.POST('/api/invitations/{id}/renew', { params: { path: { id } } }))).path),
      { stale },
    )
  const revoke = ({ id }: Invitation) =>
    run(() => unwrap(api.DELETE('/api/invitations/{id}', { params: { path: { id } } })), { success: t.revoked, stale })
  const columns: Column<Invitation>[] = [
    {
      name: t.email,
      cell: ({ email, name }) => (
        <>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </>
      ),
    },
    { name: t.role, cell: ({ role }) => t.roles[role] },
    {
      name: t.expires,
      cell: ({ expiresAt, isExpired }) => (isExpired ? t.expired : <RelativeTime at={expiresAt} />),
    },
    {
      name: c.actions,
      isEnd: true,
      cell: (invitation) => (
        <Group gap={4} justify="flex-end">
          <Button
            size="xs"
            variant="default"
            loading={isPending}
            disabled={!mayLink}
            aria-label={t.renewNamed(invitation.email)}
            onClick={() => void renew(invitation)}
          >
            {t.renew}
          </Button>
          <ConfirmButton
            size="xs"
            variant="subtle"
            aria-label={t.revokeNamed(invitation.email)}
            question={t.revokeQuestion(invitation.email)}
            warning={t.revokeWarning}
            confirm={t.revoke}
            onConfirm={() => revoke(invitation)}
          >
            {t.revoke}
          </ConfirmButton>
        </Group>
      ),
    },
  ]
  return <RecordTable label={t.invitations} rows={rows} columns={columns} keyOf={({ id }) => id} />
}
