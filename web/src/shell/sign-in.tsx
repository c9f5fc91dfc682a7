// The sign-in page.
import { useState } from 'react'
import { useTexts } from '../i18n/language-provider.tsx'
import { useAuth } from '../session.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { authTexts } from './auth-texts.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignIn() {
  const t = useTexts(authTexts)
  const { signIn } = useAuth()
  const [step, setStep] = useState<'account' | 'code'>('account')
  const isCode = step === 'code'
  return (
    <AuthLayout title={isCode ? t.codeTitle : t.signIn} text={isCode ? t.codeText : t.signInText}>
      <SignInForm signIn={signIn} onStep={setStep} />
    </AuthLayout>
  )
}
