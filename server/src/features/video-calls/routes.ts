import { createBigBlueButtonCall, joinBigBlueButtonCall } from '@heddle/api/endpoints/video-calls.ts';
import { badRequest } from '@heddle/api/errors.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { redirect } from '../../http/answers/answers.ts';
import { msg } from '../../languages/language.ts';
import { BigBlueButton } from './big-blue-button.ts';
import { meetingOf, newMeetingId, signedMeeting } from './links.ts';

export function videoCallRoutes(app: AppContext): readonly HeddleRoute[] {
  const { secret } = app;
  const configured = BigBlueButton.of(app);

  function server(): BigBlueButton {
    if (configured === undefined) throw badRequest(msg('BigBlueButton is not configured.'));
    return configured;
  }

  return [
    route(createBigBlueButtonCall, {}, ({ parameters, organization, caller }) => {
      server();
      const meeting = {
        organizationId: organization.id,
        id: newMeetingId(),
        name: parameters.meeting_name,
        isVoiceOnly: parameters.voice_only,
        moderatorId: caller.id,
      };
      return { url: pathTo(signedMeeting(secret, meeting)) };
    }),

    route(joinBigBlueButtonCall, {}, async ({ parameters, organization, caller }) => {
      const { bigbluebutton: signed } = parameters;
      const video = server();
      const meeting = meetingOf(secret, organization.id, signed);
      if (caller === undefined) return redirect(`/login/?next=${encodeURIComponent(pathTo(signed))}`);
      const createdAt = await video.create(meeting);
      const role = caller.id === meeting.moderatorId ? 'MODERATOR' : 'VIEWER';
      return redirect(video.joinUrl(meeting, createdAt, caller.fullName, role));
    }),
  ];
}

function pathTo(signed: string): string {
  return `/calls/bigbluebutton/join?bigbluebutton=${signed}`;
}
