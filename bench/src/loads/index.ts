import { attack } from './attack.ts';
import { besideSends } from './beside-sends.ts';
import { closedLoop } from './closed-loop.ts';
import { comeBack } from './come-back.ts';
import { longPoll } from './long-poll.ts';
import { mails } from './mails.ts';
import { mentioningSends } from './mentioning-sends.ts';
import { returnOfAll } from './return-of-all.ts';
import { steadySends } from './steady-sends.ts';
import { transfer } from './transfer.ts';
import { twoCrowds } from './two-crowds.ts';

/** The loads of the generator by name. */
export const loads = {
  attack,
  besideSends,
  closedLoop,
  comeBack,
  longPoll,
  mails,
  mentioningSends,
  returnOfAll,
  steadySends,
  transfer,
  twoCrowds,
};

export type Loads = typeof loads;
export type LoadName = keyof Loads;
export type LoadParameters<Name extends LoadName> = Parameters<Loads[Name]>[0];
export type LoadResult<Name extends LoadName> = Awaited<ReturnType<Loads[Name]>>;
