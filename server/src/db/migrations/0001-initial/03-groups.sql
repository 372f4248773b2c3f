-- User groups. A group is never deleted and its id never changes; `heddle_check_group_members` relies on that.
-- `permissions` holds who has which permission on the group, by the permission's name: only what someone decided.
CREATE TABLE user_groups (
  organization_id integer     NOT NULL REFERENCES organizations,
  id              integer     GENERATED ALWAYS AS IDENTITY,
  name            text        NOT NULL,
  description     text        NOT NULL DEFAULT '',
  is_system       boolean     NOT NULL DEFAULT false,
  creator_id      integer,
  created_at      timestamptz NOT NULL DEFAULT now(),
  deactivated_at  timestamptz,
  permissions     jsonb       NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, creator_id) REFERENCES users
);
CREATE UNIQUE INDEX user_groups_by_name ON user_groups (organization_id, lower(name));

-- Which groups are members of a group.
CREATE TABLE user_group_subgroups (
  organization_id integer NOT NULL,
  group_id        integer NOT NULL,
  subgroup_id     integer NOT NULL,
  PRIMARY KEY (organization_id, group_id, subgroup_id),
  FOREIGN KEY (organization_id, group_id) REFERENCES user_groups,
  FOREIGN KEY (organization_id, subgroup_id) REFERENCES user_groups
);

-- The direct members of the groups that people create. The members of system groups follow from the users' roles.
-- There are no foreign keys, because hundreds of users join in one statement while the transaction holds the organization lock.
-- PostgreSQL checks foreign keys row by row. That takes longer than the rows themselves, and writes a lock into the row of each user.
-- The trigger makes the same checks for all rows of a statement together.
CREATE TABLE user_group_members (
  organization_id integer NOT NULL,
  group_id        integer NOT NULL,
  user_id         integer NOT NULL,
  PRIMARY KEY (organization_id, group_id, user_id)
);
CREATE INDEX user_group_members_by_user ON user_group_members (organization_id, user_id);

-- `OFFSET 0` makes the planner look each row up separately, whatever number of rows it expected when it made the plan.
CREATE FUNCTION heddle_check_group_members() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT FROM joined
                  WHERE NOT EXISTS (SELECT FROM users
                                     WHERE organization_id = joined.organization_id AND id = joined.user_id OFFSET 0))
         OR EXISTS (SELECT FROM (SELECT DISTINCT organization_id, group_id FROM joined) AS into_group
                     WHERE NOT EXISTS (SELECT FROM user_groups
                                        WHERE organization_id = into_group.organization_id
                                          AND id = into_group.group_id OFFSET 0)) THEN
        RAISE foreign_key_violation USING MESSAGE = 'a membership names a user or a group that there is not';
      END IF;
      RETURN NULL;
    END $$;
CREATE TRIGGER check_group_members AFTER INSERT ON user_group_members
  REFERENCING NEW TABLE AS joined FOR EACH STATEMENT EXECUTE FUNCTION heddle_check_group_members();
