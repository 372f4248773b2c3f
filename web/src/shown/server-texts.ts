import type { ErrorCode } from '@heddle/client/calls/types.ts';
import { type Message, msg } from '../base/i18n.ts';

const NO_PERMISSION = msg('You do not have permission to do this.');
const NO_CHANNEL = msg('This channel does not exist, or you cannot see it.');
const NOT_HERE = msg('You are not allowed to write in this channel.');
const NOT_TO_THEM = msg('Your organization does not allow you to write direct messages to these people.');
const NO_TOPIC = msg('This channel requires a topic.');
const OFF = msg('This organization has turned it off.');
const DEACTIVATED = msg('The account or group is deactivated.');
const NO_OWNER = msg('The organization needs an owner.');
const BAD_NAME = msg('The name has an invalid character.');
const TOO_LONG = msg('The text is too long. The limit is {count} characters.');
const WRONG_PASSWORD = msg('The password is wrong.');
const BAD_ADDRESS = msg('This is no email address.');
const EMOJI_NAME = msg(
  'The name of an emoji has small letters from a to z, digits, spaces, “-” and “_”, and ends with a letter or digit.',
);
const NO_PICTURE = msg('This file is no picture, or the server cannot read it.');

/** What errors mean whose code says enough. */
export const TEXTS_OF_CODES: { readonly [Code in ErrorCode]?: Message } = {
  AUTHENTICATION_FAILED: WRONG_PASSWORD,
  BAD_NARROW: msg('The server does not know a condition of this search.'),
  CANNOT_ADMINISTER_CHANNEL: msg('You do not have permission to change this channel.'),
  CANNOT_DEACTIVATE_GROUP_IN_USE: msg('The group has permissions, or belongs to another group. Change that first.'),
  CHANNEL_ALREADY_EXISTS: msg('There is a channel with this name already. It can be one that you cannot see.'),
  EXPECTATION_MISMATCH: msg('Somebody has changed it meanwhile. Look at it again.'),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: msg('These messages are too old to be moved.'),
  NOT_FOUND: msg('It does not exist any more.'),
  PAYLOAD_TOO_LARGE: msg('It is too large for the server.'),
  REALM_DEACTIVATED: msg('This organization is deactivated.'), // wire name: of the code
  REALM_UPLOAD_QUOTA: msg('Your organization has no space left for files.'), // wire name: of the code
  STREAM_DOES_NOT_EXIST: NO_CHANNEL, // wire name: of the code
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: msg('You are not allowed to mention everybody in this channel.'), // wire name: of the code
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: msg('You are not allowed to mention everybody in this topic.'),
  USER_DEACTIVATED: msg('Your account is deactivated.'),
};

/** What the server says for people, with placeholders, if the code does not say enough. `{count}` is a number. */
export const TEXTS_OF_SERVER: Readonly<Record<string, Message>> = {
  'Insufficient permission': NO_PERMISSION,
  'Not logged in: API authentication or user session required': msg('Log in to do this.'),
  'Not allowed for guest users': msg('Guests cannot do this.'),
  'Must be an organization administrator': msg('Only administrators can do this.'),
  'Must be an organization owner': msg('Only owners can do this.'),
  'No such user': msg('There is no such person.'),
  'User is deactivated': DEACTIVATED,
  'User group is deactivated.': DEACTIVATED,

  // Sending.
  'Invalid channel ID': NO_CHANNEL,
  'You do not have permission to post in this channel.': NOT_HERE,
  "Not authorized to send to channel '{channel}'": NOT_HERE,
  'Only the {topic} topic is allowed in this channel.': msg('This channel has no topics.'),
  'Sending messages to the {topic} is not allowed in this channel.': NO_TOPIC,
  'Missing topic': NO_TOPIC,
  'Invalid character in topic, at position {count}!': msg('The topic has an invalid character.'),
  'Message must not be empty': msg('The message is empty.'),
  'Direct messages are disabled in this organization.': msg('Your organization has turned off direct messages.'),
  'This conversation does not include any users who can authorize it.': NOT_TO_THEM,
  'You do not have permission to initiate direct message conversations.': NOT_TO_THEM,
  'You do not have permission to access some of the recipients.': msg(
    'You cannot write to a person whom you cannot see.',
  ),
  "'{address}' is no longer using Zulip.": msg('You cannot write to a deactivated user.'),
  "You are not allowed to mention user group '{group}'.": msg('You are not allowed to mention the group {group}.'),
  'Scheduled delivery time must be in the future.': msg('Choose a time in the future.'),
  'Scheduled delivery time is too far in the future.': msg('Choose an earlier time.'),

  // Messages.
  'Invalid message(s)': msg('The message does not exist any more, or you cannot see it.'),
  "You don't have permission to edit this message": NO_PERMISSION,
  "You don't have permission to delete this message": NO_PERMISSION,
  "You don't have permission to move this message": NO_PERMISSION,
  "You don't have permission to resolve topics in this channel.": NO_PERMISSION,
  'The time limit for editing this message has passed': msg('The time to edit is over.'),
  'The time limit for deleting this message has passed': msg('The time to delete it is over.'),
  'Your organization has turned off message editing': OFF,
  'Message edit history is disabled in this organization': OFF,
  'Read receipts are disabled in this organization.': OFF,
  'There are {count} different emoji on this message already.': msg(
    'The message has too many different emoji already.',
  ),
  'There are {count} pinned messages here already. Unpin one of them first.': msg(
    'There are {count} pinned messages here already. Unpin one of them first.',
  ),

  // Channels and groups.
  'Unable to access channel ({channel}).': NO_CHANNEL,
  'Channel(s) ({channels}) do not exist': NO_CHANNEL,
  'You do not have permission to subscribe other users to channels.': msg('You cannot add other people to channels.'),
  'You can create at most {count} channels a day.': msg('You can create at most {count} channels a day.'),
  'Invalid character in channel name, at position {count}.': BAD_NAME,
  'Invalid character in user group name, at position {count}.': BAD_NAME,
  "User group name cannot start with '{prefix}'.": msg('The name cannot begin with “{prefix}”.'),
  "User group '{group}' already exists.": msg('There is a group with this name already.'),
  'Channel folder name already in use': msg('There is a folder with this name already.'),
  'Channel content access is required.': msg('Only those who can read the channel can do this.'),
  'A default channel cannot be private.': msg('A default channel cannot be private.'),
  'A default channel cannot be archived.': msg('A default channel cannot be archived.'),
  'To enable this configuration, all messages in this channel must be in the {topic} topic. Consider renaming or deleting other topics.':
    msg('The channel has messages with topics. Move or delete them first.'),

  // Invitations.
  'You must specify at least one email address.': msg('Name at least one address.'),
  'Too many invitations are open; revoke some that nobody needs any more.': msg(
    'Too many invitations are open. Revoke some that nobody needs any more.',
  ),
  'No such invitation': msg('The invitation does not exist any more.'),

  // Files and pictures.
  'Uploaded file is larger than the allowed limit of {count} MiB': msg(
    'The file is too large. The limit is {count} MiB.',
  ),
  'Too many unfinished uploads': msg('Too many uploads are not finished. Try again later.'),
  'Image size exceeds limit.': msg('The picture has too many pixels.'),
  'Could not decode image; did you upload an image file?': NO_PICTURE,
  'A custom emoji with this name already exists.': msg('There is an emoji with this name already.'),
  'Only administrators can override default emoji.': msg('Only administrators can replace a common emoji.'),
  'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.': EMOJI_NAME,
  'Emoji names must end with either a letter or digit.': EMOJI_NAME,

  // The account and people.
  'Wrong password!': WRONG_PASSWORD,
  'New password is too weak!': msg('The new password is too easy to guess.'),
  'Enter a valid email address.': BAD_ADDRESS,
  'Invalid address.': BAD_ADDRESS,
  "Email '{address}' already in use": msg('Someone has an account with this address already.'),
  'Email address changes are disabled in this organization.': OFF,
  'Avatar changes are disabled in this organization.': OFF,
  'Name too short!': msg('Write a name.'),
  'Name too long!': msg('The name is too long.'),
  'Invalid characters in name!': BAD_NAME,
  'Unique names required in this organization.': msg('Somebody has this name already.'),
  'Name is already in use.': msg('There is a bot with this name already.'),
  'Username already in use': msg('Someone has an account with this address already.'),
  'Cannot deactivate the only organization owner': NO_OWNER,
  'Cannot deactivate the only {role}.': NO_OWNER,
  'The owner permission cannot be removed from the only organization owner.': NO_OWNER,

  // The organization.
  'The domain {domain} is already a part of your organization.': msg('The domain {domain} is in the list already.'),
  'Invalid domain: {reason}': msg('This is no domain.'),
  'A field with that label already exists.': msg('There is a field with this name already.'),
  'Realm filter with this Realm and Pattern already exists.': msg('There is a linkifier with this pattern already.'),
  'Bad regular expression: {reason}': msg('The pattern is no regular expression: {reason}'),
  'Invalid URL template.': msg('The URL template is invalid.'),
  'Export still in progress': msg('The export is not finished yet.'),
  'Message reporting is not enabled in this organization.': OFF,

  // Limits.
  'Emoji names can have up to {count} characters.': TOO_LONG,
  '{what} is too long (limit: {count} characters)': TOO_LONG,
  'Channel name too long (limit: {count} characters).': TOO_LONG,
  'User group name cannot exceed {count} characters.': TOO_LONG,
  'Too many {what} (limit: {count})': msg('There are too many already. The limit is {count}.'),
};
