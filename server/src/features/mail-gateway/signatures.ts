/**
 * Recognizes the signature that a mail program adds, like `Sent from my iPhone`. Each word of the line must be
 * known: `Sent from the warehouse` is not a signature.
 */

/** Characters of a longer line are not a signature. */
const MAX_SIGNATURE_LENGTH = 150;

/** Of the sentences "Sent from my …" and "Get …", in common languages. */
const VERBS = wordsOf(`
  sent get download gesendet verschickt holen laden envoyé envoyée obtenez obtenir téléchargez télécharger enviado enviada
  enviat obtener obtenga obtén obter obtenha descargar inviato scarica ottieni verstuurd verzonden download downloaden
  skickat skickades hämta skaffa sendt hent få lähetetty hanki wysłane wysłano pobierz odesláno odoslané stáhněte získejte
  trimis elküldve gönderildi edinin отправлено скачать загрузить получить надіслано отримати secured enviados poslano
`);
const PROGRAMS = wordsOf(`
  iphone ipad ipod apple ios ipados macos mac watch vision android samsung galaxy huawei honor xiaomi redmi oppo oneplus
  pixel google motorola sony xperia nokia lg htc blackberry windows microsoft outlook yahoo gmail gmx web.de mail.ru
  proton protonmail proton.me thunderbird bluemail spark fairemail fairmail k-9 k9 tuta tutanota mailbox.org posteo superhuman
  mailspring airmail canary shortwave fastmail zoho yandex icloud aol edison aquamail mailbird mailtrack startmail
  kmail geary roundcube t-online handy smartphone phone mobile tablet cell telefon telefono
  teléfono móvil celular téléphone portable mobiltelefon mobil telemóvel
`);
const OTHERS = wordsOf(`
  from my a an the for on with app mail email e-mail mobile device pro max plus mini ultra edge note air phone smartphone
  von vom meinem meiner mit der dem sich sie für diese nachricht wurde aus de du depuis mon ma à partir pour desde mi meu
  do da dal mio per vanaf mijn via voor från min för fra til minun puhelimesta z mojego moim dla pre na pro din pe с из
  моего со для з мого benim i with using & secure encrypted emails sicherer
  sichere sicheren verschlüsselter avec la le messagerie sécurisée chiffrée con el correo electrónico seguro
  segura com o l'email sicura sicuro met beveiligde veilige med säker sikker e-post epost bezpieczną
  bezpiecznej bezpieczny pocztą poczty zabezpečeným e-mailem помощью защищённой защищенной почты enjoy ad-free via
`);

/** Without spaces, or with the verb at the end of a word. */
const WHOLE = [
  /^(?:\S+から送信|\S+ ?用の? ?outlook を入手)/i,
  /^(?:发自我的|從我的|从我的|寄自我的|我的)\s?[\w ]{2,30}(?:传送|傳送|发送|發送|发出)?$/,
  /^(?:나의|내)\s?\S{2,30}에서\s?(?:보냄|보냈습니다)/,
  /^\S{2,30}(?:'|’)?(?:mdan|mden|dan|den|tan|ten)\s?gönderildi/i,
];

export function isProgramSignature(line: string): boolean {
  if (line.length > MAX_SIGNATURE_LENGTH) return false;
  const text = line.trim();
  if (WHOLE.some((pattern) => pattern.test(text))) return true;
  const words = text
    .toLowerCase()
    .replace(/[<([]*https?:\/\/[^\s>)\]]+[>)\]]*/g, ' ')
    .split(/[\s<>()[\]*]+/)
    .map((word) => word.replace(/[.,!:]$/, ''))
    .filter((word) => word !== '');
  const isKnown = (word: string) => VERBS.has(word) || PROGRAMS.has(word) || OTHERS.has(word) || isModel(word);
  const isSentence = words.some((word) => VERBS.has(word)) || text.toLowerCase().startsWith('von meinem ');
  return isSentence && words.some((word) => PROGRAMS.has(word)) && words.every(isKnown);
}

/** Like `S24` or `15`. */
function isModel(word: string): boolean {
  return /^[a-z]{0,2}\d{1,4}[a-z+]{0,3}$/.test(word);
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
