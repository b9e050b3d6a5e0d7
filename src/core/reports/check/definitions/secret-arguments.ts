import { splitIdentifier } from '#core/catalog/category.ts';
import { findingOnTool, type ReadArgument, type ReadTool, type ToolRule } from './read-tool.ts';
import { readName } from './tool-words.ts';

/** Names of secrets, in words joined by `_`: at the end of a name, because `password_length` is none. */
const secretName =
  /(?:^|_)(?:(?:api|secret|private|access|ssh|signing|encryption|account|master|subscription)_?key|apikey|pass_?word|pass_?wd|pwd|pass_?phrase|(?:client|app|api|shared|webhook)_?secret|secret|(?:access|auth|api|bearer|refresh|session|id|oauth|secret|personal_access|jwt)_?token|bearer|credentials?|authorization|auth_header|passwort|kennwort|zugangsdaten|mot_de_passe|motdepasse|contrasena|contraseña|senha|palavra_passe|haslo|hasło|heslo|wachtwoord|losenord|lösenord|passord|adgangskode|salasana|parola|parol|sifre|şifre|jelszo|clave_(?:api|secreta|privada)|clef?_(?:api|secrete|privee)|chave_(?:api|secreta)|api_schluessel)$/;
/** The same in a description of a text, where the name does not say it. */
const saysPassword =
  /(?<!\p{L})(?:hasło|heslo|wachtwoord|lösenord|passord|adgangskode|salasana|пароль|şifre|jelszó|mot de passe|contraseña|senha|passwort|kennwort)(?!\p{L})|密码|密碼|パスワード|비밀번호/iu;
const plainToken = /(?:^|_)token$/;
const otherToken =
  /(?:^|_)(?:page|next|continuation|sync|cursor|start|end|stop|max|csrf|bos|eos|pad|next_page|pagination|resume|previous|prev)_?token$/;
const speaksOfAccess =
  /\b(?:auth\w*|api|access|bearer|login|log in|oauth|personal access|secret|jwt|session|credential\w*|zugriff\w*|anmelde\w*|autenti\w*|acceso|accès)\b|认证|授权|令牌|访问/iu;

/** Tools that compute on what the user gives them, as far as their names say it. */
const computing =
  /^(?:hash|hmac|jwt|sign|verify|encrypt|decrypt|cipher|totp|hotp|otp|bcrypt|scrypt|argon|digest|aes|rsa|pgp|hkdf|pbkdf)/;
/** Tools that are about passwords themselves. */
const aboutPasswords =
  /^(?:strength|check|generate|validat|scor|entrop|estimat|audit|polic|breach|pwned|leak|analy|rate|test|measure|evaluat|inspect|mask|redact|detect)/;

/** Finds arguments that ask the model for a secret. */
export const findSecretArguments: ToolRule = (tool) => {
  const found = tool.arguments.filter((each) => isSecret(each));
  const [one] = found;
  if (one === undefined || isAboutSecrets(tool)) return null;
  const computes = tool.named.words.some((word) => computing.test(word));
  return findingOnTool('secret-argument', tool, {
    severity: computes ? 'low' : 'medium',
    sentence: `its argument \`${one.path}\` asks the model for a secret, which then ends up in conversations and logs`,
    evidence: found.map(({ path, description }) => (description === '' ? path : `${path}: ${description}`)),
    proposal: computes
      ? 'say in its description that it is for material of the user, never for secrets that are in use'
      : `remove \`${one.path}\`, and let the server read it from its environment or from the headers of the request`,
  });
};

function isSecret({ name, types, description, property }: ReadArgument): boolean {
  if (types.size > 0 && !types.has('string') && !types.has('object')) return false;
  if (Array.isArray(property['enum'])) return false;
  const joined = splitIdentifier(name).join('_') || name.toLowerCase();
  if (otherToken.test(joined)) return false;
  if (saysPassword.test(description.slice(0, 60)) && !/length|länge|longitud|znak/i.test(joined)) return true;
  if (secretName.test(joined) || secretName.test(name.toLowerCase()))
    return !/\b(?:name|id) of (?:the|a) secret\b|\b(?:templates?|certificates?|awards?|diplomas?)\b/i.test(description);
  const isOfAccess = speaksOfAccess.test(description) || (joined !== 'token' && description === '');
  return (
    plainToken.test(joined) && isOfAccess && !/\b(?:lexer|lexical|source code|pagination|page)\b/i.test(description)
  );
}

const isAboutSecrets = ({ name }: ReadTool): boolean => {
  const { words } = readName(name);
  return (
    words.some((word) => aboutPasswords.test(word)) &&
    words.some((word) => /^(?:pass|pwd|secret|credential|token|jwt|strength|entropy)/.test(word))
  );
};
