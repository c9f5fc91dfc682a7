// Sign-in dialog over a page whose session has ended. The page keeps its state, unless another user signs in.
import { Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../i18n/language-provider.tsx'
import { type Session, type SignIn, useAuth } from '../session.tsx'
import { resolveSignIn } from '../sign-in-again.ts'
import { authTexts } from './auth-texts.ts'
import { crashTexts } from './crash-texts.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignInDialog({ user }: { user: NonNullable<Session['user']> }) {
  const t = { ...useTexts(crashTexts), ...useTexts(authTexts) }
  const client = useQueryClient()
  const { signInAgain } = useAuth()
  const [step, setStep] = useState<'account' | 'code'>('account')
  const enter = async (credentials: SignIn) => {
    const isSame = await signInAgain(credentials, user.id)
    resolveSignIn(isSame ? 'same-user' : 'dropped')
    if (isSame) await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  }
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      centered
      title={step === 'code' ? t.codeTitle : t.sessionTitle}
      // Above drawers, other dialogs and notifications.
      zIndex={1000}
      overlayProps={{ blur: 2 }}
    >
      <Stack>
        <Text size="sm">{step === 'code' ? t.codeText : t.sessionText}</Text>
        <SignInForm
          signIn={enter}
          onStep={setStep}
          email={user.email ?? ''}
          way={user.email === null ? 'key' : 'password'}
        >
          {step === 'account' && (
            <Text size="xs" c="dimmed">
              {t.otherUser}
            </Text>
          )}
        </SignInForm>
      </Stack>
    </Modal>
  )
}
