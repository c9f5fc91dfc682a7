// Error texts for keys, passwords, second factors, users and their budgets.
import { texts } from '../texts.ts'

export const authErrorTexts = texts(
  {
    api_key_missing: 'Falta a chave de API.',
    api_key_tries: 'Chaves de API erradas demais a partir deste endereço.',
    api_key_outlives: 'A nova chave não pode durar mais que a atual, que expira em {at}.',
    scope_missing: 'Esta chave não tem o escopo {scope}.',
    role_missing: 'Seu papel nesta organização não permite isto.',
    organization_none: 'Você não é membro de nenhuma organização.',
    api_key_orphaned:
      'Quem criou esta chave de API não é mais membro da organização. Um proprietário pode assumir a chave.',
    full_access_needed: 'Isto exige uma chave com acesso total.',
    replay_scope_missing: 'Repetir uma chamada exige também o escopo calls ou conversations.',
    admin_only: 'Só um administrador pode fazer isto.',
    code_refused: 'O código está errado ou já foi usado.',
    code_wrong_clock: 'O código está errado. Confira se o relógio do celular está certo.',
    password_wrong: 'A senha atual está errada.',
    password_missing: 'Este usuário ainda não tem senha: defina uma com `ramal users password`.',
    second_factor_on_remove_first: 'A verificação em duas etapas já está ativa. Desative-a primeiro.',
    second_factor_on: 'A verificação em duas etapas já está ativa.',
    second_factor_off: 'A verificação em duas etapas não está ativa.',
    second_factor_not_begun: 'A ativação não foi começada ou demorou demais. Comece de novo.',
    second_factor_raced: 'A ativação foi feita em outra janela ao mesmo tempo. Recarregue a página.',
    user_missing: 'Não há nenhum usuário: crie um com `ramal users add`.',
    last_admin: 'Este é o único administrador. Torne outro usuário administrador primeiro.',
    budget_texts_used_up:
      'Seu limite de {limit} mensagens por dia acabou (MEMBER_TEXTS_PER_DAY). Ele é renovado à 0h UTC.',
    budget_calls_used_up:
      'Seu limite de {limit} chamadas feitas por dia acabou (MEMBER_CALLS_PER_DAY). Ele é renovado à 0h UTC.',
    budget_speech_used_up:
      'Seu limite de {limit} caracteres falados por dia acabou (MEMBER_TTS_CHARS_PER_DAY). Ele é renovado à 0h UTC.',
    budget_model_used_up:
      'Seu limite de {limit} tokens de modelos de linguagem por dia acabou (MEMBER_LLM_TOKENS_PER_DAY). Ele é renovado à 0h UTC.',
    budget_recognition_used_up:
      'Seu limite de {limit} minutos de reconhecimento de fala por dia acabou (MEMBER_STT_MINUTES_PER_DAY). Ele é renovado à 0h UTC.',
    budget_embeddings_used_up:
      'Seu limite de {limit} embeddings por dia acabou (MEMBER_EMBEDDINGS_PER_DAY). Ele é renovado à 0h UTC.',
  },
  {
    api_key_missing: 'The API key is missing.',
    api_key_tries: 'Too many wrong API keys from this address.',
    api_key_outlives: 'The new key must not outlive the current one, which expires at {at}.',
    scope_missing: 'This key does not have the scope {scope}',
    role_missing: 'Your role in this organization does not permit this.',
    organization_none: 'You are not a member of any organization.',
    api_key_orphaned:
      'The person who made this API key is no longer a member of the organization. An owner can adopt the key.',
    full_access_needed: 'This needs a key with full access.',
    replay_scope_missing: 'A replay of a call needs the scope calls or conversations too.',
    admin_only: 'Only an administrator may do this.',
    code_refused: 'The code is wrong, or was used already.',
    code_wrong_clock: "The code is wrong. Check that the phone's clock is right.",
    password_wrong: 'The current password is wrong.',
    password_missing: 'This user has no password yet: `ramal users password` sets one.',
    second_factor_on_remove_first: 'Two-step verification is on already. Turn it off first.',
    second_factor_on: 'Two-step verification is on already.',
    second_factor_off: 'Two-step verification is not on.',
    second_factor_not_begun: 'The setup was not started, or took too long. Start again.',
    second_factor_raced: 'The setup was done in another window at the same moment. Reload the page.',
    user_missing: 'There is no user: add one with `ramal users add`.',
    last_admin: 'This is the only administrator. Make another user an administrator first.',
    budget_texts_used_up:
      'Your limit of {limit} texts a day is used up (MEMBER_TEXTS_PER_DAY). It is renewed at 00:00 UTC.',
    budget_calls_used_up:
      'Your limit of {limit} outbound calls a day is used up (MEMBER_CALLS_PER_DAY). It is renewed at 00:00 UTC.',
    budget_speech_used_up:
      'Your limit of {limit} spoken characters a day is used up (MEMBER_TTS_CHARS_PER_DAY). It is renewed at 00:00 UTC.',
    budget_model_used_up:
      'Your limit of {limit} language model tokens a day is used up (MEMBER_LLM_TOKENS_PER_DAY). It is renewed at 00:00 UTC.',
    budget_recognition_used_up:
      'Your limit of {limit} minutes of speech recognition a day is used up (MEMBER_STT_MINUTES_PER_DAY). It is renewed at 00:00 UTC.',
    budget_embeddings_used_up:
      'Your limit of {limit} embeddings a day is used up (MEMBER_EMBEDDINGS_PER_DAY). It is renewed at 00:00 UTC.',
  },
  {
    api_key_missing: 'Falta la clave de API.',
    api_key_tries: 'Demasiadas claves de API incorrectas desde esta dirección.',
    api_key_outlives: 'La nueva clave no puede durar más que la actual, que caduca el {at}.',
    scope_missing: 'Esta clave no tiene el alcance {scope}.',
    role_missing: 'Su rol en esta organización no permite esto.',
    organization_none: 'No es miembro de ninguna organización.',
    api_key_orphaned:
      'Quien creó esta clave de API ya no es miembro de la organización. Un propietario puede asumir la clave.',
    full_access_needed: 'Esto requiere una clave con acceso total.',
    replay_scope_missing: 'Repetir una llamada requiere también el alcance calls o conversations.',
    admin_only: 'Solo un administrador puede hacer esto.',
    code_refused: 'El código es incorrecto o ya se usó.',
    code_wrong_clock: 'El código es incorrecto. Compruebe que el reloj del teléfono esté bien.',
    password_wrong: 'La contraseña actual es incorrecta.',
    password_missing: 'Este usuario aún no tiene contraseña: defínala con `ramal users password`.',
    second_factor_on_remove_first: 'La verificación en dos pasos ya está activa. Desactívela primero.',
    second_factor_on: 'La verificación en dos pasos ya está activa.',
    second_factor_off: 'La verificación en dos pasos no está activa.',
    second_factor_not_begun: 'La activación no se empezó o tardó demasiado. Empiece de nuevo.',
    second_factor_raced: 'La activación se hizo en otra ventana al mismo tiempo. Recargue la página.',
    user_missing: 'No hay ningún usuario: cree uno con `ramal users add`.',
    last_admin: 'Es el único administrador. Haga administrador a otro usuario primero.',
    budget_texts_used_up:
      'Su límite de {limit} mensajes al día se agotó (MEMBER_TEXTS_PER_DAY). Se renueva a las 0:00 UTC.',
    budget_calls_used_up:
      'Su límite de {limit} llamadas salientes al día se agotó (MEMBER_CALLS_PER_DAY). Se renueva a las 0:00 UTC.',
    budget_speech_used_up:
      'Su límite de {limit} caracteres hablados al día se agotó (MEMBER_TTS_CHARS_PER_DAY). Se renueva a las 0:00 UTC.',
    budget_model_used_up:
      'Su límite de {limit} tokens de modelos de lenguaje al día se agotó (MEMBER_LLM_TOKENS_PER_DAY). Se renueva a las 0:00 UTC.',
    budget_recognition_used_up:
      'Su límite de {limit} minutos de reconocimiento de voz al día se agotó (MEMBER_STT_MINUTES_PER_DAY). Se renueva a las 0:00 UTC.',
    budget_embeddings_used_up:
      'Su límite de {limit} embeddings al día se agotó (MEMBER_EMBEDDINGS_PER_DAY). Se renueva a las 0:00 UTC.',
  },
)
