// Texts of the page behind a one-time link.
import { texts } from '../i18n/texts.ts'

export const inviteTexts = texts(
  {
    joinTitle: 'Crie sua conta',
    joinText: 'Você recebeu um convite para o Ramal. Escolha o nome e a senha com que vai entrar.',
    passwordTitle: 'Nova senha',
    passwordText: 'Escolha a nova senha da sua conta. As sessões abertas serão encerradas.',
    name: 'Nome',
    emailFixed: 'O e-mail é o do convite.',
    join: 'Criar conta e entrar',
    setPassword: 'Salvar a senha',
    doneTitle: 'Senha salva',
    doneText: 'Entre agora com a nova senha.',
    goneTitle: 'Este link não vale mais',
    goneText:
      'Ele já foi usado, foi revogado ou expirou: cada link vale por 24 horas e uma única vez. Peça um novo a um administrador.',
    toSignIn: 'Ir para a entrada',
    checking: 'Verificando o link…',
    otherAccount: (name: string) => `Você está conectado como ${name}. Ao criar a conta, passará a usar a nova.`,
  },
  {
    joinTitle: 'Create your account',
    joinText: 'You have been invited to Ramal. Choose the name and password you will sign in with.',
    passwordTitle: 'New password',
    passwordText: 'Choose the new password of your account. Open sessions will end.',
    name: 'Name',
    emailFixed: 'The email is the one of the invitation.',
    join: 'Create account and sign in',
    setPassword: 'Save password',
    doneTitle: 'Password saved',
    doneText: 'Sign in with the new password now.',
    goneTitle: 'This link no longer works',
    goneText:
      'It was used or revoked, or has expired: each link works for 24 hours, once. Ask an administrator for a new one.',
    toSignIn: 'Go to sign-in',
    checking: 'Checking the link…',
    otherAccount: (name: string) => `You are signed in as ${name}. Creating the account switches to the new one.`,
  },
  {
    joinTitle: 'Cree su cuenta',
    joinText: 'Ha recibido una invitación a Ramal. Elija el nombre y la contraseña con los que iniciará sesión.',
    passwordTitle: 'Nueva contraseña',
    passwordText: 'Elija la nueva contraseña de su cuenta. Las sesiones abiertas terminarán.',
    name: 'Nombre',
    emailFixed: 'El correo es el de la invitación.',
    join: 'Crear cuenta e iniciar sesión',
    setPassword: 'Guardar la contraseña',
    doneTitle: 'Contraseña guardada',
    doneText: 'Inicie sesión ahora con la nueva contraseña.',
    goneTitle: 'Este enlace ya no funciona',
    goneText:
      'Ya se usó, se revocó o caducó: cada enlace vale 24 horas y una sola vez. Pida uno nuevo a un administrador.',
    toSignIn: 'Ir al inicio de sesión',
    checking: 'Comprobando el enlace…',
    otherAccount: (name: string) => `Ha iniciado sesión como ${name}. Al crear la cuenta pasará a usar la nueva.`,
  },
)
