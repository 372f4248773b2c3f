import * as calls from '@heddle/api/endpoints/video-calls.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

/** A server of video calls that does not respond. */
export const ABSENT_VIDEO_SERVER = {
  HEDDLE_BIG_BLUE_BUTTON_URL: 'http://127.0.0.1:9/',
  HEDDLE_BIG_BLUE_BUTTON_SECRET: 'nothing',
};

export const rows: readonly AccessRow[] = [
  row(calls.createBigBlueButtonCall, 'always', '++++++ uuxu', () => ({ meeting_name: 'x' })),
  row(calls.joinBigBlueButtonCall, 'by a link that nobody signed', 'bbbbbb bbxu', () => ({ bigbluebutton: 'a.b' })),
];
