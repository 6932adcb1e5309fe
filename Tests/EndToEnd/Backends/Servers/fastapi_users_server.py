"""A FastAPI application that mounts fastapi-users as its documentation shows, with the JWT strategy.

usage: fastapi_users_server.py FOLDER PORT TOKEN-SECONDS"""
import sys
import uuid
from contextlib import asynccontextmanager

import uvicorn
from fastapi import Depends, FastAPI
from fastapi_users import BaseUserManager, FastAPIUsers, InvalidPasswordException, UUIDIDMixin, schemas
from fastapi_users.authentication import AuthenticationBackend, BearerTransport, JWTStrategy
from fastapi_users.db import SQLAlchemyBaseUserTableUUID, SQLAlchemyUserDatabase
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase

folder, port, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SECRET = "for loopback only, and longer than thirty-two bytes"


class Base(DeclarativeBase):
    pass


class User(SQLAlchemyBaseUserTableUUID, Base):
    pass


class Update(schemas.BaseUserUpdate):
    pass


class Create(schemas.BaseUserCreate):
    pass


class Read(schemas.BaseUser[uuid.UUID]):
    pass


class Manager(UUIDIDMixin, BaseUserManager[User, uuid.UUID]):
    reset_password_token_secret = SECRET
    verification_token_secret = SECRET

    async def validate_password(self, password, user):
        if len(password) < 8:
            raise InvalidPasswordException("too short")


engine = create_async_engine(f"sqlite+aiosqlite:///{folder}/database.sqlite")
sessions = async_sessionmaker(engine, expire_on_commit=False)


async def database():
    async with sessions() as session:
        yield SQLAlchemyUserDatabase(session, User)


async def manager(users=Depends(database)):
    yield Manager(users)


backend = AuthenticationBackend(
    "jwt", BearerTransport("auth/jwt/login"), lambda: JWTStrategy(secret=SECRET, lifetime_seconds=seconds))
users = FastAPIUsers[User, uuid.UUID](manager, [backend])


@asynccontextmanager
async def lifespan(_):
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    yield


app = FastAPI(lifespan=lifespan)
app.include_router(users.get_auth_router(backend), prefix="/auth/jwt")
app.include_router(users.get_register_router(Read, Create), prefix="/auth")
app.include_router(users.get_reset_password_router(), prefix="/auth")
app.include_router(users.get_users_router(Read, Update), prefix="/users")
uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")
