/** Why a mail is refused: the reply to the mail server that delivers it (RFC 5321, RFC 3463). */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  /** From 500: for good. From 400: the other server tries again later. */
  readonly responseCode: number;

  constructor(responseCode: number, text: string) {
    super(text);
    this.responseCode = responseCode;
  }
}

export const unknownAddress = () => new MailRefusal(550, '5.1.1 There is no such address');
export const automaticMail = () => new MailRefusal(550, '5.7.1 Automatic mails and mails of lists are not accepted');
export const wrongSender = () => new MailRefusal(550, '5.7.1 Reply from the address of your account');
export const lostConversation = () =>
  new MailRefusal(550, '5.7.1 The message was deleted, or you can no longer read the conversation');
export const tooOld = () => new MailRefusal(550, '5.7.1 It is too late to reply to this mail');
export const emptyMail = () => new MailRefusal(550, '5.6.0 The mail contains no text');
export const unreadable = () => new MailRefusal(554, '5.6.0 The mail takes too much time or memory to read');
export const tooLarge = () => new MailRefusal(552, '5.3.4 The mail is too large');
export const tooManyMails = () => new MailRefusal(450, '4.7.1 Too many mails; try again later');
export const busy = () => new MailRefusal(452, '4.3.1 The server is busy; try again later');
export const oneRecipient = () => new MailRefusal(452, '4.5.3 One recipient per mail');
export const notAllowed = (reason: string) => new MailRefusal(550, `5.7.1 ${reason.replace(/[^\x20-\x7e]+/g, ' ')}`);
